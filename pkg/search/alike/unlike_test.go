package alike

import "testing"

// unlikePairs are pairs of records in which words of opposites are used of two kinds of things, so that both
// hold. The opposed ones among them are of one kind.
const unlikePairs = `
beside	decision	We deploy via SSH.	decision	We deploy via a bastion.
beside	decision	We deploy via SSH.	decision	We deploy via GitHub Actions.
beside	decision	We host in Frankfurt.	decision	We host in containers.
beside	decision	We host in Frankfurt.	decision	We host in Docker.
beside	decision	We bill in euros.	decision	We bill in advance.
beside	decision	We bill in Euros.	decision	We bill in arrears.
beside	decision	We deploy through Argo CD.	decision	We deploy through GitHub Actions.
beside	decision	We deploy in the morning.	decision	We deploy in containers.
beside	decision	The app is hosted in Frankfurt.	decision	The app is hosted in containers.
beside	decision	The reports are stored in euros.	decision	The reports are stored in Dublin.
beside	decision	We deploy with Helm.	decision	We deploy with care.
beside	decision	We ship with Kamal.	decision	We ship with tests.
beside	decision	Wir deployen mit Helm.	decision	Wir deployen mit Vorsicht.
beside	decision	Wir deployen mit Kamal.	decision	Wir deployen mit Bedacht.
beside	decision	Wir hosten in Frankfurt.	decision	Wir hosten in Containern.
beside	decision	The default branch is main.	decision	The default branch is green.
beside	decision	The default branch is main.	decision	The default branch is stable.
beside	decision	The default shell is zsh.	decision	The default shell is interactive.
beside	decision	The default region is Frankfurt.	decision	The default region is cheap.
beside	decision	The default editor is Vim.	decision	The default editor is fast.
beside	decision	The default language is German.	decision	The default language is short.
opposed	decision	We deploy with Ansible.	decision	We deploy with Pulumi.
opposed	decision	Wir deployen mit Ansible.	decision	Wir deployen mit Pulumi.
opposed	decision	We deploy with Kamal.	decision	We deploy with Capistrano.
opposed	decision	We host in Frankfurt.	decision	We host in Dublin.
opposed	decision	We host on Heroku.	decision	We host on AWS.
opposed	decision	We deploy on Mondays.	decision	We deploy on Thursdays.
opposed	decision	Deploys happen on Tuesdays.	decision	Deploys happen on Fridays.
opposed	decision	Errors go to Sentry.	decision	Errors go to Rollbar.
opposed	decision	The default branch is main.	decision	The default branch is trunk.
opposed	decision	The default region is Frankfurt.	decision	The default region is Dublin.
`

func TestUnlikePairs(t *testing.T) {
	for _, p := range disputablePairs(t, unlikePairs[1:]) {
		if told := inDispute(p.a, p.b); told != (p.is == "opposed") || told != inDispute(p.b, p.a) {
			t.Errorf("told %v: %s", told, p.line)
		}
	}
}
