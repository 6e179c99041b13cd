package main

import "keepsake/pkg/doctor"

type selfCheckCmd struct {
	JSON bool `help:"Print one JSON array of what was found."`
}

func (selfCheckCmd) Help() string {
	return `Checks the programs of this installation, wherever it is run: that each has the digest that the
release says, that hooks.json is the one that ships, that all are from one build, that none that
answers the client could open a connection, and that the gate stops a sample. The exit code is 1 when
something is wrong. It changes nothing. keepsake doctor makes the same checks, and those of the project.

Example:

    keepsake dev self-check`
}

func (v selfCheckCmd) Run(c *call) error {
	return c.diagnose(doctor.SelfCheck(doctor.Patient{Now: c.now()}))
}
