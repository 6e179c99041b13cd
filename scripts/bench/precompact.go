package main

// preCompacts are a PreCompact that reads 50 messages from the beginning, and one
// that comes again with the next turn and finds nothing new.
func (w *world) preCompacts() ([]bench, error) {
	first := func(name, session string) (bench, func() error, error) {
		path, err := w.transcript(session+".jsonl", 25, 0)
		if err != nil {
			return bench{}, nil, err
		}
		start, err := w.session(session, path, func(s map[string]any) { s["fresh"] = true })
		stdin := event(map[string]any{
			"session_id": session, "transcript_path": path, "cwd": w.project, "hook_event_name": "PreCompact",
			"trigger": "auto", "custom_instructions": nil,
		})
		return bench{name: name, argv: w.hook("PreCompact"), stdin: stdin}, start, err
	}
	unread, start, err := first("PreCompact, 50 messages", "unread")
	if err != nil {
		return nil, err
	}
	unread.aim, unread.prepare = "<= 3", start
	again, _, err := first("PreCompact, nothing new", "again")
	if err != nil {
		return nil, err
	}
	again.aim = "<= 2"
	_, _, err = w.once(again.argv, again.stdin)
	return []bench{unread, again}, err
}
