//go:build !darwin

package layout

func userTemp() string { return "" }
