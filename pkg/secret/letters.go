package secret

import "strings"

// Scores are in quarters of a nat. A value of only letters counts as drawn if its score is below drawnMixed,
// or below drawnOneCase where it has one case and so shows less. TestRandomLetters measures what they miss.
const (
	drawnMixed   = -18
	drawnOneCase = -66
	caseLetter   = 11 // for each four letters of mixed case: ln 2 a letter
	casePart     = 8  // for each part of a name
	partLetter   = 13 // for each letter of a part in shortParts: ln 26
	partChance   = 30 // against each such part: one name in 2,000 has it
)

// randomLetters reports whether v consists of letters that a machine has drawn: it is far less likely as
// words or as a name such as camelCase than as chance.
func randomLetters(v string) bool {
	if len(v) < 8 || len(v) > 64 {
		return false
	}
	upper, lower := false, false
	for i := range len(v) {
		switch {
		case isUpper(v[i]):
			upper = upper || i > 0
		case isLower(v[i]):
			lower = true
		default:
			return false
		}
	}
	score, parts := 0, 0
	for i := 0; i < len(v); parts++ {
		end := partEnd(v, i)
		score += partScore(v[i:end])
		i = end
	}
	if upper && lower {
		return score+len(v)*caseLetter/4-parts*casePart < drawnMixed
	}
	return score < drawnOneCase
}

// partEnd returns the end of the part of a name that begins at i: a word, or an acronym with its plural s.
func partEnd(v string, i int) int {
	k := i
	for k < len(v) && isUpper(v[k]) {
		k++
	}
	switch {
	case k-i > 1 && k < len(v) && v[k] == 's' && (k+1 == len(v) || isUpper(v[k+1])): // IDs
		return k + 1
	case k-i > 1 && k < len(v): // the last one begins the next word
		return k - 1
	case k-i > 1:
		return k
	}
	for k < len(v) && isLower(v[k]) {
		k++
	}
	return k
}

// partScore returns how much likelier a word or acronym is as a part of a name than as chance.
func partScore(part string) int {
	score, before := 0, 0
	for i := range len(part) {
		c := int(part[i]|0x20) - 'a'
		score += pairScore(before, c)
		before = c + 1
	}
	score += pairScore(before, 26)
	folded := " " + strings.ToLower(part) + " "
	if n := len(part); n > 1 && n < 6 && (strings.Contains(shortParts, folded) ||
		strings.Contains(acronyms, folded)) {
		score = max(score, len(part)*partLetter-partChance)
	}
	return score
}

// pairScore returns the score of the letter after (0 to 25, or 26 for the end of a part) following the letter
// before (1 to 26, or 0 for the beginning).
func pairScore(before, after int) int { return int(letterPairs[before*27+after]) - letterZero }

// letterZero is the character that stands for 0 in letterPairs.
const letterZero = 'h'

// acronyms are common in names, though their pairs of letters are rare in words and shortParts lacks most of
// them.
const acronyms = " ascii aes aws cfb cgi cpu crc css csv ctr dll dns dsa ecdsa ecdh eof ftp gcm gid gpg gpu" +
	" gui hkdf hmac html http https iban icmp id ids ieee imap io ip ipv jks json jsx jvm jwk jwks jwt kdf " +
	"kms" +
	" ldap lru md mfa mime mqtt mysql nfc nfkc ntlm oauth oid os otp pdf pem pgp php pid pkcs png qr rfc " +
	"rgb" +
	" rpc rsa rtt rw s sdk sha smtp sms sql sqs ssh ssl sso stderr stdin stdout svg tcp tls totp ttl tty " +
	"udp" +
	" ui uid uri url utc utf uuid vm vpc vpn wifi ws x xhtml xml xss xsrf yaml yml "
