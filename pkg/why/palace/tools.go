package palace

import (
	"slices"
	"strings"
)

// IsRead reports whether a tool of MemPalace stores nothing whatever its arguments are. Names
// change between versions, so a tool that is not listed counts as a write.
func IsRead(tool string) bool {
	switch tool {
	case "mempalace_status", "mempalace_list_wings", "mempalace_list_rooms", "mempalace_get_taxonomy",
		"mempalace_get_aaak_spec", "mempalace_search", "mempalace_check_duplicate", "mempalace_get_drawer",
		"mempalace_get_drawers", "mempalace_list_drawers", "mempalace_kg_query", "mempalace_kg_timeline",
		"mempalace_kg_stats", "mempalace_traverse", "mempalace_find_tunnels", "mempalace_graph_stats",
		"mempalace_list_tunnels", "mempalace_follow_tunnels", "mempalace_diary_read", "mempalace_reconnect",
		"mempalace_memories_filed_away", "mempalace_list_hallways", "mempalace_find_duplicates",
		"mempalace_mesh_peers", "mempalace_event_list", "mempalace_event_wait",
		"mempalace_artifact_get", "palace_query":
		return true
	}
	return false
}

// ToolNames returns the MemPalace tool names in a text: one that writes and one that reads, or "".
func ToolNames(text string) (write, read string) {
	low := strings.ToLower(text)
	for i := 0; i < len(low); i++ {
		var name string
		switch {
		case strings.HasPrefix(low[i:], "mempalace_"):
			k := i
			for k < len(low) && (low[k] == '_' || low[k] >= 'a' && low[k] <= 'z') {
				k++
			}
			name = low[i:k]
		case low[i] == 'p':
			name, _ = LightTool(low[i:])
		}
		if name == "" {
			continue
		}
		if IsRead(name) {
			read = name
		} else if name != "mempalace_" && !strings.HasPrefix(name, "mempalace_palace") &&
			IsWrite(name) {
			write = name
		}
		i += len(name) - 1
	}
	return write, read
}

// IsWrite reports whether a name is one of MemPalace's write tools, as far as they are known.
// A text must hold one to count as more than a word that begins like one.
func IsWrite(tool string) bool {
	return slices.Contains(writing, tool)
}

// writing are the tools that are known to write.
var writing = []string{
	"mempalace_add_drawer", "mempalace_update_drawer", "mempalace_delete_drawer", "mempalace_delete_drawers",
	"mempalace_delete_by_source", "mempalace_checkpoint", "mempalace_mine", "mempalace_sync",
	"mempalace_diary_write", "mempalace_kg_add", "mempalace_kg_invalidate", "mempalace_kg_supersede",
	"mempalace_create_tunnel", "mempalace_delete_tunnel", "mempalace_delete_hallway",
	"mempalace_hook_settings", "mempalace_event_append", "mempalace_event_ack", "mempalace_task_create",
	"mempalace_artifact_put", "mempalace_patch_submit", "palace_exec", "palace_coordinate",
}

// WritingTools returns the tools that store, as far as names can tell.
func WritingTools() []string { return slices.Clone(writing) }
