package wording

// portuguese returns what a phrase of Portuguese says in English, "" if the table does not have it.
func portuguese(w string) string {
	switch w {
	// Which one.
	case "primeira", "primeiro", "1ª", "1º":
		return "first"
	case "segunda", "segundo", "2ª", "2º":
		return "second"
	case "terceira", "terceiro", "3ª", "3º":
		return "third"
	case "quarta", "quarto", "4ª":
		return "fourth"
	case "quinta", "quinto", "5ª":
		return "fifth"
	case "última", "ultima", "último", "ultimo":
		return "last"
	case "a do meio", "o do meio":
		return "the middle one"
	case "um", "uma":
		return "~one"
	case "dois", "duas":
		return "two"
	case "três":
		return "three"
	case "tres":
		return "~three"
	case "quatro":
		return "four"
	case "cinco":
		return "five"
	case "as duas", "os dois", "ambas", "ambos":
		return "both"
	case "todas", "todos":
		return "all"
	case "a", "o", "as", "os":
		return "~the"
	case "opção", "opçao", "opcao", "alternativa", "abordagem", "solução", "proposta", "variante":
		return "option"
	case "opções", "alternativas", "abordagens", "caminhos", "maneiras":
		return "options"
	case "número", "numero", "nº":
		return "number"
	// Taking it.
	case "escolho", "fico", "fico com", "pego", "escolhe", "pega", "prefira", "ficamos com", "fica com",
		"escolha", "quero ir", "voto", "vamos ficar com", "manda a", "bate o martelo":
		return "take"
	case "pode mandar bala", "pode mandar":
		return Go
	case "usa", "use", "usar", "usamos", "vamos usar", "utiliza", "utilizar":
		return "~use"
	case "prefiro", "preferimos", "melhor", "acho melhor":
		return "rather"
	case "quero", "queremos", "gostaria":
		return "i want"
	case "vamos", "bora", "vamo", "vai", "manda", "segue", "pode seguir", "pode ir", "toca", "simbora",
		"fechou", "fechado", "vamos nessa", "bora lá", "vai fundo", "toca o barco", "combinado",
		"pode tocar":
		return Go
	case "vou", "vou com", "vai com", "iria com":
		return "take"
	case "com", "na", "no", "pela", "pelo":
		return "~with"
	case "para", "pra", "pro":
		return "~for"
	case "de", "da", "do", "das", "dos", "em", "à", "ao", "lá", "aí", "né", "que seja":
		return "~"
	case "porque", "já que", "assim", "pois":
		return "because"
	case "e":
		return "~and"
	case "ou":
		return "or"
	case "mas", "embora":
		return "but"
	// Not taking it.
	case "não", "nao", "nunca", "sem", "nenhuma", "nenhum", "nem":
		return "not"
	case "se":
		return "~if"
	case "por que", "por quê", "porquê":
		return "why"
	case "como", "quanto":
		return "~how"
	case "que", "o que", "oq":
		return "~what"
	case "quando":
		return "when"
	case "qual", "quais":
		return "which"
	case "demais":
		return "too"
	// Judging it.
	case "é", "está", "tá", "parece", "me parece", "soa", "seria":
		return "is"
	case "bem", "boa", "bom", "ótimo", "otimo", "ótima", "legal", "massa", "show", "muito bem":
		return "~good"
	case "parece bom", "me parece bom", "parece ótimo", "tá bom", "está bom", "está ótimo", "gostei",
		"curti", "por mim tudo bem", "parece bem":
		return "sounds good"
	case "perfeito":
		return "perfect"
	case "boa ideia", "ótima ideia":
		return "good idea"
	// Yes.
	case "sim", "claro", "com certeza", "exato", "exatamente", "isso aí", "isso mesmo", "correto", "uhum":
		return "yes"
	case "de acordo", "concordo", "aprovado", "topo", "tô dentro":
		return "agreed"
	case "beleza", "blz", "certo", "tudo bem", "pronto":
		return "ok"
	case "pode fazer", "faz isso", "faça isso", "faz assim", "faça assim", "pode fazer isso",
		"pode fazer assim", "manda brasa", "faz aí", "faça", "faz":
		return "do it"
	case "por favor", "pfv", "pf":
		return "please"
	case "obrigado", "obrigada", "valeu", "vlw":
		return "thanks"
	case "isso", "isto":
		return "that"
	case "esse", "essa", "este", "esta":
		return "this"
	// What the agent says.
	case "eu":
		return "i"
	case "nós", "a gente":
		return "we"
	case "você", "vocês", "vc":
		return "you"
	case "me":
		return "~me"
	case "sua", "seu", "tua", "teu":
		return "your"
	case "nossa", "nosso":
		return "our"
	case "recomendação", "sugestão":
		return "recommendation"
	case "recomendada", "recomendado", "sugerida":
		return "recommended"
	case "você recomenda", "você recomendou", "você sugere", "você sugeriu", "você propôs", "vc recomenda":
		return "you recommend"
	case "recomendo", "eu recomendo", "minha recomendação", "sugiro", "eu sugiro", "aconselho":
		return "i'd recommend"
	case "proponho", "eu proponho", "minha proposta":
		return "i propose"
	case "eu usaria", "usaria", "eu iria de", "eu escolheria", "eu iria com":
		return "i'd use"
	case "manter", "mantemos", "manteria", "mantenha", "deixar":
		return "keep"
	case "mudar para", "migrar", "migrar para", "trocar":
		return "switch"
	case "guardar", "armazenar", "substituir", "salvar":
		return "store"
	case "quer que", "quer que eu", "você quer que", "você quer que eu", "gostaria que eu", "devo", "posso",
		"prefere que eu", "deseja que eu":
		return "should i"
	case "podemos", "poderíamos":
		return "we could"
	case "prefere", "você prefere", "vc prefere", "preferência", "escolheria":
		return "you prefer"
	case "o que acha", "o que você acha", "o que vc acha", "concorda", "tudo bem pra você", "faz sentido",
		"está de acordo", "ok pra você":
		return "agree"
	case "rode", "rodar", "execute", "executar", "rodo":
		return "~run"
	case "faça commit", "faça o commit", "commitar", "commite":
		return "commit"
	case "suba", "fazer push", "faça push":
		return "push"
	case "continue", "continuar", "siga", "prossiga", "prosseguir":
		return "~continue"
	case "comece", "começar", "começo", "inicie":
		return "start"
	case "verifique", "verificar", "revise", "olhe":
		return "check"
	case "implemente", "implementar", "implemento", "faça assim mesmo", "siga assim", "aplique":
		return "implement it"
	case "agora":
		return "now"
	case "seguinte", "depois", "próximo":
		return "next"
	case "em vez", "ao invés", "mais simples":
		return "instead"
	// Remembering.
	case "lembra", "lembre", "lembre se", "memoriza", "memorize", "anota", "anote", "anota aí", "grava",
		"grave", "tenha em mente", "registra", "registre":
		return "remember"
	case "lembra que", "lembre que", "lembre se que", "lembre se de que", "não esqueça que",
		"não esquece que",
		"não se esqueça que", "não se esqueça de que", "memoriza que", "memorize que", "anota que",
		"anote que",
		"tenha em mente que", "registra que", "registre que":
		return "remember that"
	case "não esqueça", "não se esqueça":
		return "remember"
	case "lembra disso", "lembre se disso", "não esquece", "não esqueça disso", "não esquece disso",
		"anota isso", "anote isso", "guarda na memória":
		return "remember that"
	case "guarda isso", "guarde isso":
		return "note this down"
	case "esquece", "esqueça":
		return "forget"
	case "sempre", "pra sempre", "próxima", "próxima vez":
		return "always"
	case "decisão":
		return "decision"
	case "regra":
		return "rule"
	case "restrição", "limite":
		return "constraint"
	case "dívida":
		return "debt"
	case "você disse", "você falou", "vc falou":
		return "you said"
	case "eu disse", "eu falei":
		return "i said"
	case "decidimos", "combinamos", "a gente decidiu":
		return "we decided"
	case "então", "entao":
		return "then"
	case "pode ser":
		return "ok"
	case "acha":
		return "think"
	case "de primeira":
		return "the first"
	case "de segunda":
		return "the second"
	case "de terceira":
		return "the third"
	case "ficamos", "fica", "mandar", "bate", "iria", "já", "quê", "pode", "acho", "tem", "favor", "meio",
		"temos", "ideia", "fazer", "há", "são", "estou", "foi", "mais":
		return telling
	case "manda ver", "mandar bala", "manda bala":
		return Go
	}
	return ""
}
