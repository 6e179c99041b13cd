package secret

import "strings"

// armourEnd returns the end of the armoured private key whose first line begins at i with four or five
// hyphens, or 0 where there is none. Line breaks may be real, written out (\n, as in JSON), or blanks.
func armourEnd(s string, i int) int {
	at := i
	for at < len(s) && s[at] == '-' && at-i < 5 {
		at++
	}
	blank := at < len(s) && s[at] == ' ' // SSH2: "---- BEGIN"
	if blank {
		at++
	}
	if !strings.HasPrefix(s[at:], "BEGIN ") {
		return 0
	}
	head := s[at:min(len(s), at+100)]
	if n := strings.IndexAny(head, "\n\\"); n >= 0 {
		head = head[:n]
	}
	dashes := strings.Index(head, "----")
	name := head
	if dashes >= 0 {
		name = head[:dashes]
	}
	if !strings.Contains(name, "PRIVATE KEY") && !strings.HasPrefix(name, "BEGIN OpenVPN Static key") {
		return 0
	}
	if dashes < 0 { // cut off in its first line
		return 0
	}
	body := at + dashes
	for body < len(s) && s[body] == '-' {
		body++
	}
	// The next line of hyphens ends it, or begins another block.
	for j := body; ; {
		n := strings.Index(s[j:], "----")
		if n < 0 {
			break
		}
		j += n
		k := j
		for k < len(s) && s[k] == '-' {
			k++
		}
		rest := strings.TrimPrefix(s[k:min(len(s), k+5)], " ")
		if strings.HasPrefix(rest, "END ") {
			end := k + 4
			for end < len(s) && end < k+100 && s[end] != '\n' && s[end] != '-' {
				end++
			}
			for end < len(s) && s[end] == '-' {
				end++
			}
			return end
		}
		if strings.HasPrefix(rest, "BEGI") {
			return bodyEnd(s[:j], body)
		}
		j = k
	}
	return bodyEnd(s, body)
}

// bodyEnd returns the end of the key whose body begins at body and whose last line is missing. It returns 0
// where no key material follows, since the key is then only mentioned, and else the end of the text, as the
// body may be quoted or numbered in any way.
func bodyEnd(s string, body int) int {
	limit := min(len(s), body+512)
	run, from := 0, body
	for j := body; j < limit; j++ {
		if c := s[j]; isAlnum(c) || c == '+' || c == '/' || c == '=' {
			run++
		} else {
			run, from = 0, j+1
		}
		if run >= 24 && isDrawn(s[from:j+1], secretName{}) {
			return len(s)
		}
	}
	if next := skip(s, body, "\r\n", 2); next > body && limit == len(s) && run > 0 &&
		!strings.Contains(s[next:], " ") {
		return len(s) // cut off in a line of the body
	}
	return 0
}

// puTTY is how a private key file of PuTTY begins.
const puTTY = "PuTTY-User-Key-File-"

// puTTYEnd returns the end of the PuTTY key file that begins at i, or 0 if it has no private part.
func (sc *scanner) puTTYEnd(i int) int {
	s := sc.s
	if sc.noPuTTY {
		return 0
	}
	n := strings.Index(s[i:], "Private-Lines:")
	if n < 0 {
		sc.noPuTTY = true
		return 0
	}
	end := i + n + len("Private-Lines:")
	if n := strings.Index(s[end:], "Private-MAC:"); n >= 0 {
		end += n + len("Private-MAC:")
		end = skip(s, end, " ", 1)
		for end < len(s) && isHex(s[end]) {
			end++
		}
		return end
	}
	return len(s)
}
