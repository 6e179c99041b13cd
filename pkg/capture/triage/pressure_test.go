package triage

import "testing"

func TestPressure(t *testing.T) {
	for _, c := range []struct {
		used, window int64
		want         Pressure
	}{
		{99_999, 200_000, Calm}, {100_000, 200_000, Alert}, {139_999, 200_000, Alert},
		{140_000, 200_000, Flush},
		{169_999, 200_000, Flush}, {170_000, 200_000, Emergency}, {200_000, 200_000, Emergency},
		{500_000, 1_000_000, Alert}, {50, 99, Alert}, {48, 99, Calm},
		{100_000, 0, Calm}, {0, 200_000, Calm}, {-1, 200_000, Calm}, {100, -1, Calm},
		{250_000, 200_000, Calm}, // so the window must be another one
		{1 << 62, 1 << 62, Emergency},
	} {
		if got := PressureOf(c.used, c.window); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.used, c.window, got, c.want)
		}
	}
}
