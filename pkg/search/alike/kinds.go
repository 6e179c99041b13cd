package alike

// kindOf returns what kind of thing a root names, or "" for what is no well-known tool or habit. Two of one
// kind are mostly alternatives. It is a switch, so that hooks need not build a table at start; tools that it
// does not know are recognised by their capitals.
func kindOf(root string) string {
	switch root {
	case "npm", "yarn", "pnpm", "bun":
		return "package manager"
	case "pip", "poetry", "uv", "pipenv", "conda", "pdm":
		return "python package manager"
	case "maven", "gradle", "bazel", "sbt", "cmake", "meson":
		return "build tool"
	case "postgres", "mysql", "sqlite", "maria", "mongo", "dynamodb", "cockroachdb", "cassandra", "mssql",
		"duckdb", "clickhouse", "firestore", "supabase":
		return "database"
	case "redis", "memcached", "valkey", "dragonfly":
		return "cache"
	case "kafka", "rabbitmq", "nats", "sqs", "pulsar", "celery", "sidekiq", "pubsub":
		return "queue"
	case "k8s", "nomad", "swarm", "ecs":
		return "orchestrator"
	case "docker", "podman":
		return "containers"
	case "aws", "gcp", "azure", "hetzner", "heroku", "vercel", "netlify", "fly":
		return "host"
	case "jest", "vitest", "mocha", "jasmine", "ava":
		return "js test runner"
	case "pytest", "unittest", "nose":
		return "python test runner"
	case "cypress", "playwright", "selenium", "puppeteer":
		return "browser tests"
	case "webpack", "vite", "rollup", "esbuild", "parcel", "turbopack":
		return "bundler"
	case "react", "vue", "svelte", "angular", "preact", "htmx":
		return "front end"
	case "nextjs", "nuxt", "remix", "sveltekit", "astro":
		return "meta framework"
	case "express", "fastify", "koa", "hono", "nestjs":
		return "js server"
	case "django", "flask", "fastapi", "rails", "laravel", "spring":
		return "server framework"
	case "eslint", "biome", "oxlint", "tslint":
		return "linter"
	case "ruff", "pylint", "flake8":
		return "python linter"
	case "prettier", "dprint":
		return "formatter"
	case "axios", "ky":
		return "http client"
	case "graphql", "grpc", "rest", "trpc", "soap":
		return "api style"
	case "json", "yaml", "toml", "xml":
		return "format"
	case "tab", "space":
		return "indent"
	case "rebase", "squash", "rebas":
		return "merging"
	case "tailwind", "bootstrap", "sass":
		return "css"
	case "redux", "zustand", "mobx", "jotai":
		return "state"
	case "prisma", "drizzle", "typeorm", "sequelize", "knex":
		return "orm"
	case "terraform", "pulumi", "cloudformation", "opentofu":
		return "infrastructure"
	case "ansible", "chef", "puppet", "saltstack":
		return "configuration"
	case "sentry", "rollbar", "bugsnag", "honeybadger", "airbrake", "raygun":
		return "error tracking"
	case "jenkins", "circleci", "buildkite", "travis":
		return "ci"
	case "python", "rust", "go", "java", "kotlin", "ruby", "js", "ts", "php", "elixir", "scala", "swift",
		"zig":
		return "language"
	case "datadog", "grafana", "newrelic", "prometheus":
		return "monitoring"
	case "elasticsearch", "opensearch", "meilisearch", "typesense", "algolia", "solr":
		return "search engine"
	case "uuid", "ulid", "cuid", "nanoid", "snowflake":
		return "id"
	case "jwt", "cookie":
		return "login"
	case "german", "english", "french", "spanish", "italian", "japanese", "chinese", "portuguese", "dutch",
		"deutsch", "englisch":
		return "language people speak"
	case "vim", "emacs", "vscode":
		return "editor"
	case "nginx", "caddy", "traefik", "haproxy", "apache":
		return "proxy"
	case "camelcase", "kebab", "snake", "pascalcase":
		return "case"
	}
	return ""
}
