package main

import "math"

// remembered is how many steps back minimize remembers.
const remembered = 8

// minimize returns the place where a convex function is least, from a start, by L-BFGS: at most steps steps.
// value returns the function's value and writes its slope.
func minimize(at []float64, steps int, value func(at, slope []float64) float64) []float64 {
	n := len(at)
	slope := make([]float64, n)
	y := value(at, slope)
	var moves, turns [][]float64 // how far each step went, and how the slope changed
	next, nextSlope, dir := make([]float64, n), make([]float64, n), make([]float64, n)
	for range steps {
		copy(dir, slope)
		share := make([]float64, len(moves))
		for i := len(moves) - 1; i >= 0; i-- {
			share[i] = dot(moves[i], dir) / dot(moves[i], turns[i])
			add(dir, turns[i], -share[i])
		}
		if k := len(moves) - 1; k >= 0 {
			scale(dir, dot(moves[k], turns[k])/dot(turns[k], turns[k]))
		} else {
			scale(dir, 1/math.Max(1, math.Sqrt(dot(slope, slope))))
		}
		for i := range moves {
			back := dot(turns[i], dir) / dot(moves[i], turns[i])
			add(dir, moves[i], share[i]-back)
		}
		fall := dot(dir, slope)
		if fall <= 0 {
			break
		}
		step, ny := 1.0, 0.0
		for ; step > 1e-10; step /= 2 {
			copy(next, at)
			add(next, dir, -step)
			if ny = value(next, nextSlope); ny <= y-1e-4*step*fall {
				break
			}
		}
		if step <= 1e-10 || y-ny < 1e-7*math.Abs(y) {
			break
		}
		move, turn := make([]float64, n), make([]float64, n)
		for i := range move {
			move[i], turn[i] = next[i]-at[i], nextSlope[i]-slope[i]
		}
		if dot(move, turn) > 1e-12 {
			moves, turns = append(moves, move), append(turns, turn)
			if len(moves) > remembered {
				moves, turns = moves[1:], turns[1:]
			}
		}
		at, next, slope, nextSlope, y = next, at, nextSlope, slope, ny
	}
	return at
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func add(to, what []float64, times float64) {
	for i, x := range what {
		to[i] += times * x
	}
}

func scale(a []float64, by float64) {
	for i := range a {
		a[i] *= by
	}
}
