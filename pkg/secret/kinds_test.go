package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// a kind is a text with a secret in it.
type kind struct{ name, text, value string }

// kinds returns made-up values in the shapes that issuers publish. They are put together at run time, so that
// no scanner takes this file for a leak.
func kinds() []kind {
	x := func(n int) string { return strings.Repeat("aB3dE6gH9k", n/10+1)[:n] }
	up := func(n int) string { return strings.Repeat("AB3DE6GH2K", n/10+1)[:n] }
	hex := func(n int) string { return strings.Repeat("9f86d081884c", n/12+1)[:n] }
	low := func(n int) string { return strings.Repeat("ab3de6gh9k", n/10+1)[:n] }
	armour := func(dashes, name, body, br string) string {
		return dashes + "BEGIN " + name + dashes + br + body + br + dashes + "END " + name + dashes
	}
	body := x(64) + "\n" + x(64) + "\n" + x(20) + "=="
	var all []kind
	add := func(name, before, value, after string) {
		all = append(all,
			kind{name, before + value + after, value})
	}
	for _, p := range []string{
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glrt-", "gldt-", "glptt-", "glcbt-",
		"gloas-", "glft-", "GR1348941", "xoxb-12345678901-", "xoxp-12345678901-", "xapp-1-A052-",
		"sk-ant-api03-", "sk-proj-", "sk_live_", "rk_live_", "sk_test_", "whsec_", "npm_", "hf_", "gsk_",
		"pplx-", "dop_v1_", "SG.aaa.", "AIza", "ya29.a0", "GOCSPX-", "dckr_pat_", "hvs.CAES", "hvb.AAAA",
		"dp.st.", "lin_api_",
		"ntn_", "sntryu_" + x(24), "PMAK-" + x(20), "glsa_", "tskey-auth-", "sq0atp-", "NRAK-", "pscale_tkn_",
		"xkeysib-" + hex(40), "nfp_", "figd_",
	} {
		add(p, "we use ", p+x(40), " for it")
	}
	add("aws id", "", "AKIA"+up(16), "")
	add("aws secret", "aws_secret_access_key = ", x(40), "\n")
	add("azure client secret", "the app has ", "abc8Q~"+x(34), ".")
	add("azure storage", "AccountName=a;AccountKey=", x(86)+"==", ";EndpointSuffix=x")
	add("twilio", "sid and ", "SK"+hex(32), " of twilio")
	add("twilio auth token", "TWILIO_AUTH_TOKEN=", hex(32), "")
	add("telegram", "bot ", "110201543:AA"+x(33), " answers")
	add("telegram url", "https://api.telegram.org/bot", "110201543:AA"+x(33), "/getMe")
	add("discord bot", "client.login(", "MTk4NjIyNDgzNDcxOTI1MjQ4"+".Cl2FMQ."+x(27), ")")
	add("discord webhook", "https://discord.com/api/webhooks/", "123456789012345678/"+x(68), "")
	add("slack webhook", "https://hooks.slack.com/services/", "T01ABCDEF/B02ABCDEF/"+x(24), "")
	add("teams webhook", "https://corp.webhook.office.com/webhookb2/",
		hex(8)+"-aaaa-bbbb@x/IncomingWebhook/"+hex(32)+"/y", "")
	add("jwt", "Authorization: Bearer ", "eyJ"+x(20)+"."+x(30)+"."+x(40), "")
	add("basic", "Authorization: Basic ", "dXNlcjpwYXNz", "")
	add("url", "postgres://app:", "s3cr3tpw", "@db:5432/x")
	add("redis url", "redis://:", "s3cr3tpw", "@cache:6379/0")
	add("pgpass", "db.example.com:5432:app:bob:", "hunter2", "\n")
	add("netrc", "machine api.example.com login bob password ", "hunter2", "\n")
	add("netrc lines", "machine api.example.com\n  login bob\n  password ", "hunter2", "\n")
	add("mysql", "mysql -u root -p", "hunter2", " app < dump.sql")
	add("mysqldump", "run mysqldump --host db -uroot -p", "s3cret!x", " app")
	add("sshpass", "sshpass -p ", "hunter2", " ssh bob@host")
	add("sshpass quoted", "sshpass -p '", "correct horse", "' ssh bob@host")
	add("docker login", "docker login -u bob -p ", "hunter2", " registry.example.com")
	add("docker config", `{"auths":{"ghcr.io":{"auth":"`, "Ym9iOmh1bnRlcjI=", `"}}}`)
	add("redis-cli", "redis-cli -h cache -a ", "hunter2", " ping")
	add("curl", "curl -u bob:", "hunter2", " https://x")
	add("--password", "az login --username bob --password ", "Sommer2024!", "")
	add("--password=", "mongodump --password=", "hunter2x", " --db a")
	add("PGPASSWORD", "PGPASSWORD=", "hunter2", " psql -h db")
	add("SSHPASS", "export SSHPASS=", "hunter2", "; sshpass -e ssh root@db")
	add("env", "export DB_PASSWORD=", "hunter2", "\n")
	add("json", `{"api_key": "`, x(20), `"}`)
	add("yaml", "client-secret: ", x(20), "\n")
	add("k8s env", "- name: DB_PASSWORD\n  value: ", "hunter22", "\n")
	add("npmrc", "//registry.npmjs.org/:_authToken=", "0f3d9d6e-1f0a-4c0e-9f00-5f8f3a3e2c11", "\n")
	add("xml", "<password>", "hunter2x", "</password>")
	add("cookie", "Cookie: ", "session=9f86d081884c7d; theme=dark", "\n")
	add("x-api-key", `-H "X-Api-Key: `, x(24), `"`)
	add("escaped newline before", `first line\n`, "ghp_"+x(36), `\nlast`)
	add("escaped newline name", `FOO=1\nDB_PASSWORD=`, "hunter2", `\nBAR=2`)

	add("pem", "a\n", armour("-----", "RSA "+"PRIVATE KEY", body, "\n"), "\nb")
	add("pem pkcs8", "", armour("-----", "PRIVATE "+"KEY", body, "\n"), "")
	add("pem openssh", "", armour("-----", "OPENSSH "+"PRIVATE KEY", body, "\n"), "")
	add("service account", `{"type": "service_account", "private_key": "`,
		armour("-----", "PRIVATE "+"KEY", strings.ReplaceAll(body, "\n", `\n`), `\n`),
		`\n", "client_email": "a@b"}`)
	add("dotenv key", `PRIVATE_KEY="`, armour("-----", "EC "+"PRIVATE KEY",
		strings.ReplaceAll(body, "\n", `\n`), `\n`), `"`)
	add("pem in a line", "it is ", armour("-----", "PRIVATE "+"KEY", strings.ReplaceAll(body, "\n", " "),
		" "), " and no more")
	add("ssh2", "", armour("---- ", "SSH2 ENCRYPTED "+"PRIVATE KEY", "Comment: \"a\"\n"+body, "\n")[:0]+
		"---- BEGIN SSH2 ENCRYPTED "+"PRIVATE KEY ----\n"+body+"\n---- END SSH2 ENCRYPTED "+
		"PRIVATE KEY ----", "\n")
	add("pgp", "my key is ", armour("-----", "PGP "+"PRIVATE KEY BLOCK", "\n"+body+"\n=abcd", "\n"),
		" please keep it")
	add("putty", "file:\n", puTTY+"3: ssh-ed25519\nEncryption: none\nComment: a\nPublic-Lines: 2\n"+x(64)+
		"\nPrivate-Lines: 1\n"+x(44)+"\nPrivate-MAC: "+hex(64), "\n")
	add("pem cut off", "a ", "-----BEGIN "+"PRIVATE KEY-----\n"+x(64)+"\n"+x(10), "")
	add("base64 of a pem", "tls.key: ", "LS0tLS1CRUdJTiBQUklWQVRF"+x(200), "\n")
	add("age", "", "AGE-SECRET-KEY-1"+up(58), "")

	add("the signing secret", "the signing secret is ", "k9vTq2LmZx71", ".")
	add("admin password", "admin password is ", "hunter2", ", change it")
	add("password in quotes", `The password is "`, "tr0ub4dor&3", `"`)
	add("password for", "the password for staging is ", "Sommer2024!", " by the way")
	add("password of the", "The password of the staging database is `", "pg-8Kd92x", "`.")
	add("password now", "the root password is now ", "Winter#2025", "")
	add("set to", "I set the wifi password to ", "blue7Horse", " yesterday")
	add("a product with a number", "the db password is ", "postgres123", " as ever")
	add("numeric", "the door passcode is ", "48213377", ".")
	add("api key is", "our API key is ", low(24), " in staging")
	add("words", "the admin password is ", "correct-horse-battery-staple", ".")
	add("three words", "The password for staging is ", "purple-otter-ladder", " from now on")
	add("words in quotes", `the root password is now "`, "tiger-lemon-window-seven", `"`)
	add("words and a colon", "the passphrase is: ", "copper-lantern-mango", "")
	add("words, assigned", "password: ", "amber-falcon-reef", "\n")
	add("german words", "das Admin-Passwort lautet ", "korrekt-pferd-batterie-klammer", ".")
	add("german words for", "Das Kennwort für den Server ist jetzt ", "blau-vogel-fenster", "")
	add("french words", "le mot de passe du serveur est ", "cheval-agrafe-pile-citron", ".")
	add("spanish words", "la contraseña del servidor es ", "caballo-grapa-nube-limón", ".")
	add("api key, no verb", "use the API key ", hex(32), " for staging")
	add("api key, short", "API key ", "3f9a1c2b7d8e4f60", "")
	add("access token, no verb", "the access token ", hex(40), ", till Friday")
	add("token colon", "token: ", hex(24), "\n")
	add("german key, no verb", "der API-Schlüssel ", hex(32), " gilt bis Freitag")
	add("french token, no verb", "le jeton ", hex(32), " expire demain")
	add("mixed, no verb", "our client secret ", x(24), " is old")

	add("german ist", "das Passwort ist ", "Sommer2024!", "")
	add("german lautet", "Das Admin-Passwort lautet ", "geheim#77", ".")
	add("german für", "Das Kennwort für den Server ist ", "Blau7haus", ".")
	add("german colon", "Passwort: ", "Sommer2024!", "")
	add("french", "le mot de passe est ", "soleil42!", ".")
	add("french du", "Le mot de passe du serveur est ", "Soleil2024", ".")
	add("french key", "la clé secrète API est "[:0]+"la clé est ", low(20), ".")
	add("spanish", "la contraseña es ", "verano2024", ".")
	add("spanish del", "La contraseña del servidor es ", "Verano#24", ".")

	add("letters", "DB_PASSWORD=", "abgcqInkTY", "\n")
	add("letters of a flag", "app --password ", "abgcqInkTY", " --verbose")
	add("letters in json", `{"user":"bob","password":"`, "abgcqInkTY", `"}`)
	add("letters in yaml", "  password: ", "QwzRtbXkLpVn", "\n")
	add("letters in a sentence", "the root password is ", "kXvbTqRzw", ".")
	add("letters in one case", "passwd=", "xqjzvwkpfh", "\n")
	add("letters of a client", `client_secret = "`, "GtqWxZbvKrpJ", `"`)
	add("token as user", "git clone https://", "ghp_"+x(36), ":@github.com/a/b")
	add("form", "POST /login?user=bob&password=", "hunter2x", "&next=/home")
	add("azure sas", "https://a.blob.core.windows.net/c/f?sv=2022-11-02&ss=b&se=2030-01-01&sig=",
		x(43)+"%3D", "&sp=r")
	add("azure sas at the end", "https://a.blob.core.windows.net/c?sv=2022-11-02&sig=", x(43)+"%3D", " in it")
	add("azure sas in json", `{"url":"https://a.blob.core.windows.net/c?sv=1\u0026sig=`, x(43)+"%3D",
		`\u0026sp=r"}`)
	add("azure sas in html", `<a href="https://a.blob.core.windows.net/c?sv=1&amp;sig=`, x(43)+"%3D", `">`)
	add("s3", "https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature=", hex(64), "&x-id=GetObject")
	add("gcs", "https://storage.googleapis.com/b/o?X-Goog-Expires=900&X-Goog-Signature=", hex(512), "\n")
	add("cloudfront", "https://d1.cloudfront.net/v?Expires=1&Signature=", x(43)+"~"+x(20)+"__",
		"&Key-Pair-Id=K2")
	add("zip", "zip -r -P ", "sunshine", " a.zip dir")
	add("zip, several flags", "zip -erP ", "sunshine", " a.zip dir")
	add("unzip", "unzip -o -P '", "my sunshine", "' a.zip")
	add("htpasswd", "htpasswd -b /etc/nginx/.htpasswd bob ", "sunshine", "\n")
	add("htpasswd -bc", "htpasswd -bc .htpasswd bob ", "sunshine", " && nginx -s reload")
	add("htpasswd -nb", "htpasswd -nb bob ", "sunshine", " > .htpasswd")
	add("htpasswd -nbBC", `htpasswd -nbBC 10 "" `, "sunshine", " | tr -d ':'")
	add("htpasswd -Bbn", "docker run --entrypoint htpasswd httpd:2 -Bbn bob ", "sunshine", " > auth")
	add("lftp", "lftp -u bob,", "sunshine", " sftp://host")
	add("lftp quoted", `lftp -e "open -u bob,`, "sunshine", ` host; mirror"`)
	add("openssl -k", "openssl enc -d -aes-256-cbc -in a -k ", "sunshine", " -out b")
	add("openssl -pass", "openssl enc -aes-256-cbc -pass pass:", "sunshine", " -in a")
	add("openssl -passin", "openssl rsa -in a -passin pass:", "sunshine", " -out b")
	add("openssl -passout", `openssl genrsa -passout "pass:`, "sunshine", `" 2048`)
	add("7z", "7z a -p", "sunshine", " a.7z dir")
	add("7z quoted", `7z x a.7z -p"`, "my sunshine", `" -oout`)
	add("rar", "rar a -hp", "sunshine", " a.rar dir")
	add("unrar", "unrar x -p", "sunshine", " a.rar")
	add("keytool", "keytool -genkeypair -alias a -storepass ", "sunshine", " -keystore k")
	add("keytool -keypass", "keytool -importkeystore -keystore k -destkeypass ", "sunshine", "\n")
	add("apksigner", "apksigner sign --ks my.jks --ks-pass pass:", "sunshine", " app.apk")
	add("ldapsearch", "ldapsearch -x -D cn=admin,dc=example -w ", "sunshine", " -b dc=example")
	add("smbclient", "smbclient //host/share -U bob%", "sunshine", " -c ls")
	add("smbclient domain", `rpcclient -U 'CORP\bob%`, "sunshine", `' host`)
	add("wget", "wget --user=bob --password=", "sunshine", " https://x")
	add("wget ftp", "wget --ftp-password='", "sunshine", "' ftp://x")
	add("mongosh", "mongosh mongodb://host -u bob -p ", "sunshine", " --quiet")
	add("psql", `psql "host=db user=bob password=`, "sunshine", ` dbname=a"`)
	add("gpg", "gpg --batch --passphrase ", "sunshine", " -c file")
	add("gpg quoted", `gpg2 --batch --passphrase="`, "my own sunshine", `" -c file`)
	add("expect", "expect \"*assword:*\"\nsend \"", "sunshine", "\\r\"\n")
	add("expect --", `expect "Password: " { send -- "`, "sunshine", `\r" }`)
	add("net use", `net use Z: \\srv\share `, "sunshine", ` /user:CORP\bob`)
	add("net use, user first", `net use \\srv\share /user:bob `, "sunshine", "\n")
	add("as the password", "use ", "hunter2Fall", " as the password")
	add("as the admin password", "please set `", "hunter2Fall", "` as the new admin password for staging.")
	add("words as the password", "take ", "purple-otter-ladder", " as password, please")
	add("letters as the password", "we use ", "kXvbTqRzw", " as our password.")
	add("german als", "nimm ", "Sommer2024!", " als Passwort")
	add("french comme", "utilise ", "soleil42!", " comme mot de passe.")
	add("spanish como", "usa ", "verano2024", " como contraseña")
	add("log in", "log in with bob / ", "Winter2025!", " on staging")
	add("log in, end", "you can log in as admin:", "Winter2025!", ".")
	add("logged in", "I logged in with user bob@example.com / ", "hunter2", "")
	add("credentials", "The credentials are bob / ", "Winter2025!", ".")
	add("credentials, colon", "credentials: bob / ", "Winter2025!", "\n")
	add("german log in", "melde dich mit bob / ", "Winter2025!", " an")
	add("german credentials", "Die Zugangsdaten sind bob / ", "Winter2025!", ".")
	add("french log in", "connecte-toi avec bob / ", "soleil42!", "")
	add("spanish log in", "inicia sesión con bob / ", "verano2024", ".")
	add("passphrase", "the passphrase is ", "tulip harbour ninety seven", "")
	add("passphrase of", "The passphrase for the backup is ", "tulip harbour ninety seven", ", keep it")
	add("passphrase, colon", "Passphrase: ", "tulip harbour ninety seven", "\n")
	add("passphrase in quotes", `the passphrase is "`, "tulip harbour ninety seven", `".`)
	add("password of words in quotes", `the password is "`, "correct horse battery staple", `"`)
	add("german passphrase", "Die Passphrase lautet ", "Tulpe Hafen neunzig sieben", ".")
	add("french passphrase", "la phrase de passe est ", "tulipe port quatorze sept", ".")
	add("spanish passphrase", "la frase de contraseña es ", "tulipán puerto noventa siete", ".")
	add("french colon", "mot de passe : ", "soleil42!", "\n")
	add("french no-break colon", "mot de passe\u00a0: ", "soleil42!", "\n")
	add("french est colon", "le mot de passe du serveur est : ", "soleil42!", "")
	add("german vom, colon", "das Passwort vom Admin: ", "Sommer2024!", "")
	add("german vom", "Passwort vom Admin ist ", "Sommer2024!", ".")
	add("password for, colon", "the password for the staging database: ", "Sommer2024!", "")
	add("spanish colon", "la contraseña: ", "verano2024", "")
	add("spanish de, colon", "la contraseña del servidor: ", "verano2024", ".")
	add("spanish clave", "la clave es ", "mesa4silla", "")
	return all
}

func TestKindsAreTakenOut(t *testing.T) {
	all := kinds()
	if len(all) < 215 {
		t.Fatalf("only %d kinds", len(all))
	}
	for _, k := range all {
		t.Run(k.name, func(t *testing.T) {
			if got := Redact(k.text); strings.Contains(got, k.value) || !strings.Contains(got, Redacted) {
				t.Errorf("stays: %q", got)
			} else if i := strings.Index(k.text, k.value); !strings.HasPrefix(got, k.text[:i]) {
				t.Errorf("takes more than the secret from %q: %q", k.text, got)
			} else if again := Redact(got); again != got {
				t.Errorf("changes on a second pass: %q", again)
			}
			got := Redact(k.text)
			// shortened as in lists and notes
			for n, i := 1, strings.Index(got, Redacted); n <= len(Redacted); n++ {
				if cut := got[:i+n] + "…"; Redact(cut) != cut {
					t.Errorf("changes where it is cut short: %q, %q", cut, Redact(cut))
				}
			}
			for line := range strings.SplitSeq(k.value, "\n") {
				if got := Redact(k.text); len(line) > 10 && strings.Contains(got, line) {
					t.Errorf("leaves a line of it: %q", got)
				}
			}
		})
	}
}

// TestWhatIsLeftHoldsNoSecret joins redacted texts in many orders and cuts them at every place, as lists,
// notes and tags do. Redacting the result finds no secret.
func TestWhatIsLeftHoldsNoSecret(t *testing.T) {
	all, random := kinds(), rand.New(rand.NewPCG(1, 2))
	for range 500 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var some []string
		for _, k := range all[:6] {
			some = append(some, k.text)
		}
		separators := []string{" ", "\n", "\n- ", ", ", "; ", `\n`}
		left := Redact(strings.Join(some, separators[random.IntN(len(separators))]))
		line := strings.Join(strings.Fields(left), " ")
		for _, text := range []string{left, line, strings.ReplaceAll(strings.ToLower(line), " ", "-")} {
			for i := range text {
				if found := Find(text[:i] + "…"); len(found) > 0 {
					t.Fatalf("%s: %q", found[0].Kind, text[max(0, found[0].From-40):i]+"…")
				}
			}
			if found := Find(text); len(found) > 0 {
				t.Fatalf("%s: %q", found[0].Kind, text[max(0, found[0].From-40):found[0].To])
			}
		}
	}
}

func TestLookalikesAreKept(t *testing.T) {
	for _, text := range []string{
		"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixes it",
		// tags made of redacted text
		"\"bearer\",\n    \"curl-h-\\\"authorizati\"", `"kennwort:-[redacted]"`,
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"digest: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"image: ghcr.io/acme/api@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"id 123e4567-e89b-12d3-a456-426614174000",
		"request_id: 123e4567-e89b-12d3-a456-426614174000",
		"primary key: 123e4567-e89b-12d3-a456-426614174000",
		`"integrity": "sha512-z3WtPqXvYx1kKqJmJ0aG5m0sN8b0a1c2d3e4f5g6h7i8j9k0l1m2n3o4p5q6r7s8t9u0v1w2x3y4z5A6B7C8D9=="`,
		`ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"`,
		`ETag: W/"0815-4711abcdef"`,
		"keep-the-job-queue-in-postgresql", "the slug is sk-learn-model-selection-and-evaluation",
		".claude/memory/decisions/keep-the-job-queue-in-postgresql.json",
		"see pkg/secret/secret.go:112 and /etc/ssl/private/app.key", "go1.26.8, v2.11.0-rc.3 and 3.14.159",
		"the password is required", "The password is rotated weekly.",
		"the password is at least 12 characters long",
		"the password is argon2id-hashed, the token is a SHA-256 of it", "password reset flow",
		"We store the password hashed with argon2.", "the password: required, see below",
		"`password: must have 8 characters`", "the secret is to keep functions short",
		"The secret is base64-encoded.", "token bucket, 100 requests a minute",
		"the token is valid for 3600 seconds", "the token is checked first: expired ones are refused",
		"tokens: 150000, max_tokens = 4096",
		"the signing secret is in SIGNING_SECRET_V2, read from the vault",
		"the token is stored in config/tokens.yaml", "the API key is read from $API_KEY",
		"das Passwort ist abgelaufen", "Das Passwort ist mindestens 12 Zeichen lang.",
		"le mot de passe est obligatoire", "la contraseña es obligatoria", "la clave es la simplicidad",
		"key: value", "cache key: user:1234:profile:v2", "cacheKey = \"users-2024-page-3-of-17\"",
		"key = 'ArrowDown'", "const publicKey = \"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0k2jd8k3jd83kd\"",
		"password = getPassword()", "token := jwt.New(method)", "password: z.string().min(8)",
		"secret: process.env.SECRET_1",
		`password = "${DB_PASSWORD}"`, "token: ${{ secrets.GITHUB_TOKEN }}", "--password $DB_PASSWORD",
		"postgres://app:$PASS@db/x", "https://user:<password>@host/x",
		"docker run -p 8080:80 -u 1000:1000 nginx", "mkdir -p build && sort -u names", "mysql -p asks for it",
		"cp -p a b", "see https://example.com:8080/a@b", "PWD=/home/bob/src/app",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
		"a file that begins with `-----BEGIN PRIVATE KEY-----` is refused; it has no body here",
		"the machine login and password prompts", "bypass: 12345678", "compass=north-north-west1",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" +
			"+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB1vQ0x0cG9zdGdyZXNxbGpvYnF1ZXVlc3Vydml2ZXM bob@host",
		"arn:aws:iam::123456789012:role/app", "2026-11-20T09:00:00Z",
		"+49 30 1234567, DE89 3704 0044 0532 0130 00", "h1:XXeibrt4XbdrYm3FnzXR3uUPs9HbgGduroICjBl6PMw=",
		"the password is stored hashed", "the token is rate-limited", "the API key is well-documented",
		"password is user-provided", "the password is end-to-end-encrypted", "the password is one-way-hashed",
		"the passphrase is never-to-be-shared",
		"The password is up-to-date.", "the password is case-insensitive",
		"the password manager is open-source-software", "the password policy is strict-but-fair",
		"the password field is admin-user-password", "the password is six-words-long",
		"the password reset is state-of-the-art", "password: user-provided-value-required",
		"das Passwort ist Ende-zu-Ende-verschlüsselt", "das Passwort ist nicht-mehr-gültig",
		"das Kennwort ist server-seitig-gespeichert", "le mot de passe est à-usage-unique",
		"le mot de passe est chiffré-de-bout-en-bout", "la contraseña es de-un-solo-uso",
		"la contraseña es no-reutilizable", "the token 123e4567-e89b-12d3-a456-426614174000 was logged",
		"the token sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"the API key hash 9f86d081884c7d659a2feaa0c55ad015 is logged", "API key rotation-policy-for-everyone",
		"the token bucket-with-refill-and-burst", "the token counter 150000000000000000 overflowed",
		"the secret 0123456789012345678901 has digits alone",
		"token in 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
		"the cookie: same-site by default", "basic understanding-of-things", "the bearer of bad news",
		// letters only
		"password=getPassword", "password: required", "PASSWORD=changeme", "password: camelCaseName",
		"passwordField = inputPassword", "password: passwordHash", `"password": "secretString"`,
		"password = PasswordInput", "pwd = currentWorkingDirectory", "PASSWORD=REPLACEME", "pass: PostgreSQL",
		"passwd: isPowerOfTwo", "--password requireConfirmation", "password: erforderlich",
		"Passwort: zurücksetzen", "Kennwort: Geschäftsführer", "mot de passe : obligatoire",
		"mot de passe : nécessaire", "contraseña: obligatoria", "contraseña: próximamente",
		"Passwort: Benutzerverwaltung", "password: NSMutableString", "password: HTTPBasicAuth",
		"the password is JavaScript-free", "the parameters to pass to DynamoDB",
		"the password for PostgreSQL is optional", "password: requir…", "client_secret: clientSecretValue",
		"secret: kubernetesSecretName", "password: shadowJSON",
		// addresses
		"https://a/c?sv=2022-11-02&ss=b&sp=r", "https://a/c?sig=required&x=1", "sig=SIGTERM", "?sig=md5",
		"https://a/?q=Signature=1", "def f(sig=inspect.signature(g))", "&signature=optional",
		"X-Amz-Signature= is computed last", "the X-Amz-Signature parameter signs the request",
		"https://a/?X-Amz-Signature=<signature>", "https://x/?password=&user=bob",
		// flags of programs
		"zip -r a.zip dir -x '*.git*'", "zip -P is weak, use 7z", "zip -r a.zip . && scp -P 2222 a.zip host:",
		"unzip -o a.zip -d dir", "`zip -r a` and `scp -P 2222 a b`", "zip -P $ZIP_PASSWORD a.zip b",
		"htpasswd -c file user", "htpasswd -c /etc/nginx/.htpasswd bob", "htpasswd -B file user",
		"htpasswd -n user", "htpasswd -b file user $PW", "htpasswd -b file user password",
		"the htpasswd file and its users and groups", "lftp -u user sftp://host", "lftp -u user, host",
		"lftp -u bob,$PW host", "curl -k https://x", "ls -k dir", "openssl enc -k is a key",
		"openssl enc -kfile key.txt -in a", "openssl enc -pass env:PASS2 -in a",
		"openssl rsa -passin file:a.txt", "openssl rsa -passin stdin",
		"openssl req -keyout a.pem -out b.pem -days 365", "openssl x509 -in a | curl -k https://x",
		"-pass pass:$PASS", "7z x a.7z -oout", "7z a a.7z -p", "7z a -p$PW a.7z", "7z a a.7z dir -mx=9 -r",
		"rar a a.rar dir", "unrar x -p- a.rar", "keytool -list -keystore k",
		"keytool -storepass:env STOREPASS -list", "keytool -storepass changeit -list", "-keypass arg",
		"apksigner sign --ks-pass env:KS_PASS2 a", "ldapsearch -x -W -D cn=admin -b dc=x",
		"smbclient //host/share -U bob", "smbclient -U %", "curl -U bob%20smith https://x",
		"rpcclient -U '' host", "wget --user=bob --ask-password https://x", "wget --password=$PW https://x",
		"wget --password=PASSWORD x", "mysql -u root -p", "mysql -p asks for it", "mongosh --password",
		"psql -h db -U bob -W app",
		`psql "host=db user=bob password=$PGPASSWORD"`, "gpg --passphrase-fd 0 --batch -c f",
		"gpg --passphrase-file pw.txt -c f", "gpg --passphrase and --batch go together",
		`send "hello\r"`, `expect "login:"; send "bob\r"`, `the user has to send "password" to the server`,
		`expect "assword:"; send "$pw\r"`, `expect "assword:"; send "x\r"; expect "$"; send "$cmd\r"`,
		`net use Z: \\srv\share`, `net use Z: \\srv\share /persistent:yes`,
		`net use Z: \\srv\share * /user:bob`,
		"the net use of memory is 12 MB", "net use Z: /delete",
		// sentences
		"use the token as the password", "use `x-oauth-basic` as the password", "use a hash as the password",
		"use SHA256 as the password hash", "use bcrypt as the password hasher",
		"we use base64 as password encoding",
		"use field2 as the password", "use DB_PASS2 as the password", "use ${PASS1} as the password",
		"we use argon2id as the password hash function", "use oauth2 as username and the token as password",
		"nimm den Schlüssel als Passwort", "utilise le jeton comme mot de passe",
		"usa el token como contraseña",
		"md5crypt and sha512crypt as the password schemes",
		"keep user1 and user2 as they are; the password too",
		"log in with your e-mail address / phone number", "log in with Google / Office365",
		"log in with SAML / OAuth2",
		"sign in with user1 / user2", "login: 2025-01-01 / 10:32:11",
		"log in with a browser: http://127.0.0.1:8080",
		"log in as root: run make install2 then", "the login is in auth/login2.go",
		"log in with http/1.1 or http/2",
		"sign in with Python3/Django4", "melde dich mit Name / Adresse an",
		"connecte-toi avec Google / GitHub",
		"inicia sesión con Google / Facebook", "credentials: file / env / vault",
		"credentials are user / role2",
		"the passphrase is stored in the vault", "the passphrase is never logged",
		"the passphrase is too short for us",
		"the passphrase is asked twice every time", "the passphrase is four random words long",
		"the passphrase is cached until logout", "the passphrase is required before starting",
		"Passphrase: required when using encryption", "the passphrase is read interactively",
		"passphrase: leave empty", "the passphrase is always stored encrypted",
		"Passphrase: optional, see below",
		"the passphrase is wrong or missing", "die Passphrase ist zu kurz",
		"Die Passphrase lautet anders als gestern",
		"Die Passphrase ist im Tresor abgelegt", "la phrase de passe est dans le coffre",
		"la phrase de passe est trop courte", "la frase de contraseña es demasiado corta para nosotros",
		"la frase de contraseña es obligatoria", `the password is "not set"`,
		`the password is "must be changed soon"`,
		`the config file to pass to "go tool cover"`, `password: "enter your new password"`,
		"das Passwort vom Admin: bitte ändern", "das Passwort vom Admin ist abgelaufen",
		"le mot de passe du serveur est : obligatoire", "la contraseña del servidor: pendiente",
		"the password for the database: see the vault", "the password for users: at least 12 characters",
	} {
		if got := Redact(text); got != text {
			t.Errorf("%q\n became %q (%v)", text, got, Kinds(text))
		}
	}
}
