//go:build !darwin

package paths

func userTemp() string { return "" }
