package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepsake/pkg/libexec"
)

// lines is MCP's transport over standard input and output, a message a line. The SDK's own ends the server
// with the first line that is no message. This one answers such a line with an error and reads on.
type lines struct {
	in   *bufio.Reader
	most int // bytes of a line

	out     io.Writer
	writing sync.Mutex

	pending  map[jsonrpc.ID]string // methods of the calls that were read and not answered yet
	counting sync.Mutex
	answered *sync.Cond
	closed   bool
}

func newLines(in io.Reader, out io.Writer, most int) *lines {
	l := &lines{in: bufio.NewReaderSize(in, 64<<10), most: most, out: out, pending: map[jsonrpc.ID]string{}}
	l.answered = sync.NewCond(&l.counting)
	return l
}

// Connect returns the connection, which is the transport itself.
func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID returns "": there is one session.
func (l *lines) SessionID() string { return "" }

// Read returns the next message. At the end of the input it first waits until the calls that came before are
// answered, as the SDK drops them then.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := readLine(l.in, l.most)
		var long *longLine
		switch {
		case errors.As(err, &long):
			err = l.refuse(long.id, jsonrpc.CodeInvalidRequest, long.Error())
		case err != nil:
			l.drain()
			return nil, err
		case len(bytes.TrimSpace(line)) == 0:
		case !json.Valid(line):
			err = l.refuse(nil, jsonrpc.CodeParseError, "this line is not JSON: a message is one line of it")
		default:
			m, broken := jsonrpc.DecodeMessage(line)
			if broken == nil {
				broken = l.note(m)
			}
			if broken == nil {
				return m, nil
			}
			err = l.refuse(nil, jsonrpc.CodeInvalidRequest, "this line is no message of JSON-RPC 2.0: "+
				short(inWords("it", broken)))
		}
		if err != nil {
			return nil, err
		}
	}
}

// note notes a call, which is answered later.
func (l *lines) note(m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return nil
	}
	l.counting.Lock()
	defer l.counting.Unlock()
	if _, is := l.pending[r.ID]; is {
		return fmt.Errorf("the call before with the id %v is not answered yet", r.ID.Raw())
	}
	l.pending[r.ID] = r.Method
	return nil
}

// drain waits until every call is answered, or the connection is closed.
func (l *lines) drain() {
	l.counting.Lock()
	defer l.counting.Unlock()
	for len(l.pending) > 0 && !l.closed {
		l.answered.Wait()
	}
}

// Write writes a message.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	r, isAnswer := m.(*jsonrpc.Response)
	if isAnswer && libexec.WrongType("", r.Error) != "" {
		l.counting.Lock()
		method := l.pending[r.ID]
		l.counting.Unlock()
		m = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
			Message: "keepsake: " + method + ": " + short(inWords("params", r.Error))}}
	}
	b, err := jsonrpc.EncodeMessage(m)
	if err == nil {
		err = l.print(b)
	}
	if isAnswer {
		l.counting.Lock()
		delete(l.pending, r.ID)
		l.answered.Broadcast()
		l.counting.Unlock()
	}
	return err
}

// inWords returns what is wrong with a message, or with the part of one that whole names. The SDK's errors
// have the names of Go's types.
func inWords(whole string, err error) string {
	said := err.Error()
	var of *json.UnmarshalTypeError
	if errors.As(err, &of) && of.Field == "" && of.Type.Kind() == reflect.String {
		whole = "its method" // the one text that is decoded by itself
	}
	switch wrong := libexec.WrongType(whole, err); {
	case wrong != "":
		return wrong
	case strings.Contains(said, "invalid ID type"):
		return "its id must be a text or a number"
	case strings.Contains(said, "nesting depth"):
		return "it is nested too deeply"
	}
	return strings.TrimPrefix(said, "unmarshaling jsonrpc message: ")
}

// Close lets go of a Read that waits for answers.
func (l *lines) Close() error {
	l.counting.Lock()
	defer l.counting.Unlock()
	l.closed = true
	l.answered.Broadcast()
	return nil
}

// refuse answers a line that is no message. Its id is null if it has none that can be told.
func (l *lines) refuse(id json.RawMessage, code int64, message string) error {
	type trouble struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	b, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   trouble         `json:"error"`
	}{"2.0", id, trouble{code, "keepsake: " + message}})
	if err != nil {
		return err
	}
	return l.print(b)
}

func (l *lines) print(line []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(line, '\n'))
	return err
}

// A longLine is the error for a line that is longer than it may be.
type longLine struct {
	most int
	id   json.RawMessage // of the call that it seems to be, nil if none was found
}

func (e *longLine) Error() string {
	return fmt.Sprintf("this line is longer than %d KiB, and was not read", e.most>>10)
}

// readLine returns the next line without its line break. A line of more than most bytes is read to its end
// and not kept: the error is a *longLine. The last line needs no line break.
func readLine(in *bufio.Reader, most int) (line []byte, err error) {
	var ids idFinder
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long && len(line)+len(bytes.TrimSuffix(part, []byte("\n"))) > most {
			long = true
			ids.scan(line)
			line = nil
		}
		if long {
			ids.scan(part)
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, &longLine{most, ids.id} // an error of the input comes again
		case err != nil && len(line) == 0:
			return nil, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
}
