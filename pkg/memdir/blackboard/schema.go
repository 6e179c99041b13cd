package blackboard

// schema is what a blackboard says of itself. A person's own words in its place
// stay.
const schema = `# The blackboard

Where the projects stand. Each has a card, projects/ID.md, and one row in REGISTRY.md. What REGISTRY.md says of status and deadline
holds. Change both together: ` + "`keepsake project`" + ` does.

## A card

    # Title

    - Status: active
    - Deadline: 2026-12-18
    - Goal: what it is for, in one sentence

    ## Progress

    - [2026-11-21] What was reached, in one line.

    ## Open items

    - [ ] What is to be done (owner: Name)
    - [x] What has been done

    ## Conclusions

    - [2026-11-21] What was decided, and why.

    ## [2026-11-21] A topic that was closed

    Status: ✅ done (or 🔄 in progress, ⏸️ pending)
    Key points: one or two sentences.
    Decision: left out when there is none.
    Follow-up: only what is open.
    → Details: where more is to be found.

    ## Links

    - Where more is to be found.

- The status is active, blocked, delayed, paused, done or dropped.
- Dates are of the form YYYY-MM-DD; a project without a deadline says none.
- Progress and conclusions are added to, and stay. The newest progress also stands in REGISTRY.md.
- What a part doesn't need may be left out, and other parts and lines are left alone.
- Details have one place, a topic file; the card links to it.
`
