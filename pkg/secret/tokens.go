package secret

import "strings"

// A token is a kind of secret known by its prefix. At least min characters follow, and at most max, unless
// max is 0.
type token struct {
	prefix   string
	min, max int
	in       func(byte) bool
	kind     string
}

// Kinds that several prefixes have.
const (
	gitHub     = "GitHub token"
	gitLab     = "GitLab token"
	slack      = "Slack token"
	stripe     = "Stripe key"
	shopify    = "Shopify token"
	docean     = "DigitalOcean token"
	fly        = "Fly.io token"
	vault      = "Vault token"
	privateKey = "private key"
)

// tokens have the prefixes that their issuers document for secret scanning.
var tokens = [...]token{
	{"AKIA", 16, 16, isUpperDigit, "AWS key"}, {"ASIA", 16, 16, isUpperDigit, "AWS key"},
	{"ABIA", 16, 16, isUpperDigit, "AWS key"}, {"ACCA", 16, 16, isUpperDigit, "AWS key"},
	{"A3T", 17, 17, isUpperDigit, "AWS key"},
	{"ABSK", 100, 0, isBase64, "AWS key"}, {"bedrock-api-key-", 20, 0, isBase64, "AWS key"},
	{"AIza", 35, 0, isKey, "Google key"}, {"ya29.", 20, 0, isKey, "Google token"},
	{"GOCSPX-", 20, 0, isKey, "Google secret"},
	{"LTAI", 12, 24, isAlnum, "Alibaba key"},
	{"ghp_", 30, 0, isAlnum, gitHub}, {"gho_", 30, 0, isAlnum, gitHub}, {"ghu_", 30, 0, isAlnum, gitHub},
	{"ghs_", 30, 0, isKeyDot, gitHub}, {"ghr_", 30, 0, isAlnum, gitHub},
	{"github_pat_", 22, 0, isWord, gitHub},
	{"glpat-", 20, 0, isKeyDot, gitLab}, {"glrt-", 20, 0, isKeyDot, gitLab}, {"gldt-", 20, 0, isKey, gitLab},
	{"glcbt-", 20, 0, isKey, gitLab}, {"glptt-", 20, 0, isKey, gitLab}, {"gloas-", 20, 0, isKey, gitLab},
	{"glffct-", 20, 0, isKey, gitLab}, {"glft-", 20, 0, isKey, gitLab}, {"glimt-", 20, 0, isKey, gitLab},
	{"glagent-", 20, 0, isKey, gitLab}, {"glsoat-", 20, 0, isKey, gitLab},
	{"GR1348941", 20, 0, isKey, gitLab},
	{"_gitlab_session=", 32, 0, isAlnum, "cookie"},
	{"xoxb-", 10, 0, isKey, slack}, {"xoxa-", 10, 0, isKey, slack}, {"xoxp-", 10, 0, isKey, slack},
	{"xoxo-", 10, 0, isKey, slack},
	{"xoxr-", 10, 0, isKey, slack}, {"xoxs-", 10, 0, isKey, slack}, {"xoxc-", 10, 0, isKey, slack},
	{"xoxd-", 10, 0, isKeyPercent, slack},
	{"xoxe-", 10, 0, isKey, slack}, {"xoxe.xox", 10, 0, isKey, slack}, {"xapp-", 10, 0, isKey, slack},
	{"sk-", 20, 0, isKey, "API key"}, // OpenAI, Anthropic and those who follow them
	{"sk_live_", 10, 0, isAlnum, stripe}, {"rk_live_", 10, 0, isAlnum, stripe},
	{"sk_test_", 10, 0, isAlnum, stripe},
	{"rk_test_", 10, 0, isAlnum, stripe}, {"sk_prod_", 10, 0, isAlnum, stripe},
	{"rk_prod_", 10, 0, isAlnum, stripe}, {"whsec_", 16, 0, isBase64, stripe},
	{"npm_", 36, 0, isAlnum, "npm token"}, {"pypi-", 50, 0, isKey, "PyPI token"},
	{"rubygems_", 40, 0, isHex, "RubyGems token"},
	{"CLOJARS_", 60, 60, isAlnum, "Clojars token"}, {"oy2", 43, 43, isAlnum, "NuGet key"},
	{"cio", 32, 32, isAlnum, "crates.io token"}, {"dckr_pat_", 20, 0, isKey, "Docker token"},
	{"dckr_oat_", 20, 0, isKey, "Docker token"},
	{"hf_", 30, 0, isAlnum, "Hugging Face token"}, {"api_org_", 34, 34, isAlnum, "Hugging Face token"},
	{"gsk_", 40, 0, isAlnum, "Groq key"}, {"pplx-", 40, 0, isAlnum, "Perplexity key"},
	{"r8_", 37, 0, isAlnum, "Replicate token"}, {"xai-", 60, 0, isAlnum, "xAI key"},
	{"dop_v1_", 40, 0, isAlnum, docean}, {"doo_v1_", 40, 0, isAlnum, docean},
	{"dor_v1_", 40, 0, isAlnum, docean},
	{"SG.", 40, 0, isKeyEqual, "SendGrid key"}, {"xkeysib-", 64, 0, isKey, "Brevo key"},
	{"shpat_", 32, 0, isHex, shopify}, {"shpca_", 32, 0, isHex, shopify}, {"shppa_", 32, 0, isHex, shopify},
	{"shpss_", 32, 0, isHex, shopify},
	{"SharedAccessSignature=", 30, 0, isSAS, "Azure key"},
	{"AGE-SECRET-KEY-", 40, 0, isUpperDigit, "age key"}, {"AGE-PLUGIN-", 40, 0, isUpperDigitDash, "age key"},
	{"hvs.", 24, 0, isKey, vault}, {"hvb.", 24, 0, isKey, vault}, {"hvr.", 24, 0, isKey, vault},
	{"s.", 24, 24, isAlnum, vault}, {"b.AAAAAQ", 60, 0, isKey, vault},
	{"SK", 32, 32, isHex, "Twilio key"},
	{"key-", 32, 32, isHex, "Mailgun key"}, {"pubkey-", 32, 32, isHex, "Mailgun key"},
	{"A3-", 36, 37, isUpperDigitDash, "1Password key"}, {"ops_eyJ", 100, 0, isBase64, "1Password token"},
	{"ico-", 32, 32, isAlnum, "Infracost key"}, {"p8e-", 32, 32, isAlnum, "Adobe secret"},
	{"AKCp", 69, 69, isAlnum, "Artifactory key"}, {"cmVmd", 59, 59, isAlnum, "Artifactory token"},
	{"ATATT3", 100, 0, isKeyEqual, "Atlassian token"}, {"ATCTT3", 100, 0, isKeyEqual, "Atlassian token"},
	{"ATBB", 24, 32, isAlnum, "Bitbucket token"},
	{"4b1d", 38, 38, isAlnum, "ClickHouse key"}, {"v1.0-", 150, 0, isKey, "Cloudflare key"},
	{"dapi", 32, 34, isHexDash, "Databricks token"}, {"dose", 32, 32, isHex, "Databricks token"},
	{"dnkey-", 50, 0, isKeyEqual, "Defined Networking token"},
	{"dp.", 40, 0, isKeyDot, "Doppler token"}, {"duffel_", 43, 0, isKeyEqual, "Duffel token"},
	{"dt0c01.", 80, 0, isKeyDot, "Dynatrace token"}, {"dt0s01.", 80, 0, isKeyDot, "Dynatrace token"},
	{"EZAK", 54, 54, isAlnum, "EasyPost key"}, {"EZTK", 54, 54, isAlnum, "EasyPost key"},
	{"EAAM", 100, 0, isAlnum, "Facebook token"}, {"EAAC", 100, 0, isAlnum, "Facebook token"},
	{"FLWSECK", 12, 0, isKey, "Flutterwave key"}, {"FLWPUBK", 12, 0, isKey, "Flutterwave key"},
	{"fo1_", 40, 0, isKey, fly}, {"fm1a_", 80, 0, isBase64, fly}, {"fm1r_", 80, 0, isBase64, fly},
	{"fm2_", 80, 0, isBase64, fly},
	{"fio-u-", 60, 0, isKeyEqual, "Frame.io token"},
	{"glc_", 32, 0, isBase64, "Grafana token"}, {"glsa_", 32, 0, isWord, "Grafana token"},
	{"eyJrIjoi", 60, 0, isBase64, "Grafana key"},
	{"pat.", 60, 0, isKeyDot, "Harness key"}, {"sat.", 60, 0, isKeyDot, "Harness key"},
	{"HRKU-", 36, 0, isKey, "Heroku key"},
	{"s-s4t2", 60, 0, isKey, "42 secret"},
	{"lin_api_", 32, 0, isAlnum, "Linear key"}, {"lin_oauth_", 32, 0, isAlnum, "Linear token"},
	{"NRAK-", 20, 0, isKey, "New Relic key"}, {"NRJS-", 15, 0, isKey, "New Relic key"},
	{"NRII-", 20, 0, isKey, "New Relic key"}, {"NRAA-", 20, 0, isKey, "New Relic key"},
	{"ntn_", 40, 0, isAlnum, "Notion token"}, {"secret_", 43, 43, isAlnum, "Notion token"},
	{"API-", 26, 34, isUpperDigit, "Octopus key"}, {"sha256~", 40, 0, isKey, "OpenShift token"},
	{"pscale_", 32, 0, isKeyEqual, "PlanetScale token"}, {"PMAK-", 50, 0, isKey, "Postman key"},
	{"pnu_", 36, 0, isAlnum, "Prefect token"},
	{"pul-", 40, 40, isHex, "Pulumi token"}, {"rdme_", 60, 0, isAlnum, "ReadMe token"},
	{"tk-us-", 40, 0, isKey, "Scalingo token"},
	{"sntrys_", 60, 0, isBase64, "Sentry token"}, {"sntryu_", 60, 0, isAlnum, "Sentry token"},
	{"sm_aat_", 16, 0, isAlnum, "SettleMint token"}, {"sm_pat_", 16, 0, isAlnum, "SettleMint token"},
	{"sm_sat_", 16, 0, isAlnum, "SettleMint token"},
	{"shippo_", 40, 0, isWord, "Shippo token"}, {"sgp_", 40, 0, isWord, "Sourcegraph token"},
	{"sq0atp-", 22, 0, isKey, "Square token"}, {"sq0csp-", 22, 0, isKey, "Square secret"},
	{"EAAA", 56, 0, isKey, "Square token"},
	{"tfp_", 50, 0, isKeyDot, "Typeform token"}, {"AQVN", 35, 38, isKey, "Yandex key"},
	{"t1.", 80, 0, isKeyEqual, "Yandex token"},
	{"sc_", 50, 0, isKeyEqual, "Authress key"}, {"ext_", 50, 0, isAuthress, "Authress key"},
	{"scauth_", 50, 0, isAuthress, "Authress key"}, {"authress_", 50, 0, isAuthress, "Authress key"},
	{"tskey-", 20, 0, isKey, "Tailscale key"}, {"sbp_", 40, 40, isHex, "Supabase token"},
	{"sb_secret_", 20, 0, isKey, "Supabase key"},
	{"nfp_", 36, 0, isAlnum, "Netlify token"}, {"figd_", 36, 0, isKey, "Figma token"},
	// Base64 of how private keys begin, as in a Kubernetes secret.
	{"LS0tLS1CRUdJTiBQUklWQVRF", 40, 0, isBase64, privateKey},
	{"LS0tLS1CRUdJTiBSU0Eg", 40, 0, isBase64, privateKey},
	{"LS0tLS1CRUdJTiBFQyBQ", 40, 0, isBase64, privateKey}, {"LS0tLS1CRUdJTiBPUEVO", 40, 0, isBase64,
		privateKey},
	{"LS0tLS1CRUdJTiBFTkNS", 40, 0, isBase64, privateKey}, {"LS0tLS1CRUdJTiBEU0Eg", 40, 0, isBase64,
		privateKey},
	{"b3BlbnNzaC1rZXktdjE", 40, 0, isBase64, privateKey},
	{"ZXlK", 100, 0, isBase64, "JSON web token"}, // base64 of a JSON web token
}

func isKeyPercent(c byte) bool     { return isKey(c) || c == '%' }
func isUpperDigitDash(c byte) bool { return isUpperDigit(c) || c == '-' }
func isHexDash(c byte) bool        { return isHex(c) || c == '-' }
func isAuthress(c byte) bool       { return isKeyEqual(c) || c == '+' || c == '/' }
func isSAS(c byte) bool            { return isKeyEqual(c) || c == '%' || c == '&' }

// maxLook is how many bytes of a token are examined to distinguish it from a slug.
const maxLook = 256

// tokenAt returns the end and the kind of the token that begins at i; 0 if there is none.
func (t *tables) tokenAt(s string, i int) (end int, kind string) {
	for n := t.first[s[i]]; n > 0; n = t.next[n-1] {
		k := &tokens[n-1]
		if !strings.HasPrefix(s[i:], k.prefix) {
			continue
		}
		from := i + len(k.prefix)
		for end = from; end < len(s) && k.in(s[end]) && end-from < maxLook; {
			end++
		}
		if end-from == maxLook && isMachineMade(s[from:end]) { // a token may be longer than the look
			for end < len(s) && k.in(s[end]) {
				end++
			}
		}
		for end > from && s[end-1] == '.' { // the sentence's own
			end--
		}
		if end-from >= k.min && (k.max == 0 || end-from <= k.max && (end == len(s) || !isWord(s[end]))) &&
			(isMachineMade(s[from:end]) || k.kind == "AWS key" && !isPlaceholder(s[from:end])) {
			return end, k.kind
		}
	}
	return 0, ""
}

// isMachineMade reports whether s was drawn by a machine rather than written: it has a digit or both cases,
// which a slug ("sk-learn-model-selection") does not have.
func isMachineMade(s string) bool {
	upper, lower, same := false, false, true
	for i := range len(s) {
		c := s[i]
		if c != s[0] {
			same = false
		}
		if isDigit(c) && !same {
			return true
		}
		upper, lower = upper || isUpper(c), lower || isLower(c)
	}
	return upper && lower && !same
}

// maxJWT is how far behind the beginning of a token its end is looked for, in bytes. Real ones fit in a
// header line.
const maxJWT = 8 << 10

// jwtEnd returns the end of a JSON web token at i, or 0. Its first part is base64 of `{"`, so it begins with
// "eyJ". It must also begin a word: a text made of many "eyJ" is then looked at once.
func jwtEnd(s string, i int, prev byte) int {
	if !strings.HasPrefix(s[i:], "eyJ") || isKey(prev) {
		return 0
	}
	end, dots, part := i, 0, 0
	for ; end < len(s) && end-i < maxJWT; end++ {
		if s[end] == '.' && part >= 4 && dots < 2 {
			dots, part = dots+1, 0
			continue
		}
		if !isKey(s[end]) {
			break
		}
		part++
	}
	for dots == 2 && end < len(s) && isKeyDot(s[end]) { // a token may be longer than the look
		end++
	}
	if dots == 2 && end-i >= 40 {
		return end
	}
	return 0
}

// numberedToken finds tokens that begin with a number: Telegram's NUMBER:SECRET and Facebook's NUMBER|SECRET.
func numberedToken(s string, i, end int) Found {
	n := i
	for n < end && isDigit(s[n]) {
		n++
	}
	if n-i < 5 || n-i > 16 || n+28 > len(s) || n != end && s[n] != ':' && s[n] != '|' && s[n] != '%' ||
		n == end && n == len(s) {
		return Found{}
	}
	sign := s[n]
	k := n + 1
	for k < len(s) && isKey(s[k]) && k-n < 60 {
		k++
	}
	switch l := k - n - 1; {
	case sign == ':' && s[n+1] == 'A' && l == 35 && isMachineMade(s[n+2:k]):
		return Found{i, k, "Telegram token"}
	case (sign == '|' || sign == '%') && n-i >= 15 && l >= 27 && l <= 40 && isMachineMade(s[n+1:k]):
		return Found{i, k, "Facebook token"}
	}
	return Found{}
}

// dottedToken finds tokens of several parts. The first part ends at end, before a dot.
func dottedToken(s string, i, end int) Found {
	part := func(from int) int {
		k := from
		for k < len(s) && isKey(s[k]) && k-from < 200 {
			k++
		}
		return k
	}
	if strings.HasPrefix(s[end:], ".atlasv1.") {
		if k := part(end + 9); k-end-9 >= 40 {
			return Found{i, k, "Terraform token"}
		}
	}
	if n := end - i; n >= 23 && n <= 28 && (s[i] == 'M' || s[i] == 'N' || s[i] == 'O') {
		if a := part(end + 1); a-end-1 >= 6 && a-end-1 <= 7 && a < len(s) && s[a] == '.' {
			if k := part(a + 1); k-a-1 >= 27 && isMachineMade(s[i:end]) {
				return Found{i, k, "Discord token"}
			}
		}
	}
	return Found{}
}

// azureSecret finds a client secret of Microsoft Entra by its tilde at i: three characters, a digit, Q~ and
// the rest.
func azureSecret(s string, i int) Found {
	if i < 5 || s[i-1] != 'Q' || !isDigit(s[i-2]) {
		return Found{}
	}
	in := func(c byte) bool { return isKeyDot(c) || c == '~' }
	if !in(s[i-3]) || !in(s[i-4]) || !in(s[i-5]) {
		return Found{}
	}
	k := i + 1
	for k < len(s) && in(s[k]) && k-i <= 35 {
		k++
	}
	for s[k-1] == '.' { // the sentence's own
		k--
	}
	if n := k - i - 1; n >= 31 && n <= 34 && isMachineMade(s[i+1:k]) {
		return Found{i - 5, k, "Azure secret"}
	}
	return Found{}
}

// hooks are the beginnings of the addresses of incoming webhooks. The path behind them is the secret.
var hooks = [...]struct{ prefix, kind string }{
	{"hooks.slack.com/services/", "Slack webhook"},
	{"hooks.slack.com/workflows/", "Slack webhook"},
	{"hooks.slack.com/triggers/", "Slack webhook"},
	{"discord.com/api/webhooks/", "Discord webhook"},
	{"discordapp.com/api/webhooks/", "Discord webhook"},
}

// teamsHook follows the tenant's name in the address of a Microsoft Teams webhook.
const teamsHook = ".webhook.office.com/webhookb2/"
