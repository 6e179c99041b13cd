package triage

// Pressure is how full the model's context window is: the highest threshold reached.
type Pressure int

const (
	Calm      Pressure = 0  // nothing is urgent, or the size of the window is unknown
	Alert     Pressure = 50 // every exchange that may matter is staged
	Flush     Pressure = 70 // what is staged is saved at once
	Emergency Pressure = 85 // everything is saved, with a summary, before the work goes on
)

// PressureOf returns the pressure for a number of tokens used in a window. It is Calm if the window is 0,
// which means unknown, or smaller than what is used.
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
