package main

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Codes of MemPalace's own errors, from the range that JSON-RPC leaves to servers. The SDK uses some of
// these numbers itself, two of them for a connection that closes. So Read subtracts apart from each code
// when it arrives.
const (
	codeBusy     = -32001 - apart // another process writes into this palace
	codeReadOnly = -32003 - apart
	codeDiverged = -32004 - apart // vectors and drawers have come apart: it takes no more

	apart = 100
)

// transport makes connections that keep the server's own error codes out of the SDK's way.
type transport struct{ mcp.Transport }

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return connection{c}, err
}

type connection struct{ mcp.Connection }

// Read reads a message. It subtracts apart from an error code between -32000 and -32099, a server's own
// range.
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
