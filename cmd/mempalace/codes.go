package main

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Codes of MemPalace's own, which JSON-RPC leaves to servers. The SDK has a use
// for the same numbers: two of them are to it a connection that closes. So all are
// moved out of its way when they arrive.
const (
	codeBusy     = -32001 - apart // another process writes into this palace
	codeReadOnly = -32003 - apart
	codeDiverged = -32004 - apart // vectors and drawers have come apart: it takes no more

	apart = 100
)

// transport is a transport whose errors keep what the server said.
type transport struct{ mcp.Transport }

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return connection{c}, err
}

type connection struct{ mcp.Connection }

// Read moves the codes of errors from the range that is a server's own.
func (c connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Response); ok && err == nil {
		if e, ok := errors.AsType[*jsonrpc.Error](r.Error); ok && e.Code <= -32000 && e.Code > -32000-apart {
			moved := *e
			moved.Code -= apart
			r.Error = &moved
		}
	}
	return m, err
}
