package triage

// Pressure is how full the model's context window is, as the highest threshold
// that was reached.
type Pressure int

const (
	Calm      Pressure = 0  // what is noticed waits for its moment; also when the window is unknown
	Alert     Pressure = 50 // every exchange that may matter is staged
	Flush     Pressure = 70 // what is staged is to be saved at once
	Emergency Pressure = 85 // everything is to be saved, with a summary, before the work goes on
)

// PressureOf is the pressure of so many tokens in a window of so many. A window of
// 0 is unknown, and so is one that holds less than it is said to hold.
func PressureOf(used, window int64) Pressure {
	if window <= 0 || used <= 0 || used > window {
		return Calm
	}
	for _, p := range [...]Pressure{Emergency, Flush, Alert} {
		if used >= window/100*int64(p)+window%100*int64(p)/100 {
			return p
		}
	}
	return Calm
}
