package wording

// spanish returns what a phrase of Spanish says in English, "" if the table does not have it.
func spanish(w string) string {
	switch w {
	// Which one.
	case "primera", "primero", "primer", "1ª", "1º", "1era", "1ra":
		return "first"
	case "segunda", "segundo", "2ª", "2º", "2da":
		return "second"
	case "tercera", "tercero", "tercer", "3ª", "3º", "3ra":
		return "third"
	case "cuarta", "cuarto", "4ª":
		return "fourth"
	case "quinta", "quinto", "5ª":
		return "fifth"
	case "última", "ultima", "último", "ultimo":
		return "last"
	case "la del medio", "la de en medio", "la del centro":
		return "the middle one"
	case "uno", "una", "un":
		return "~one"
	case "dos":
		return "two"
	case "tres":
		return "three"
	case "cuatro":
		return "four"
	case "cinco":
		return "five"
	case "las dos", "los dos", "ambas", "ambos":
		return "both"
	case "todas", "todos":
		return "all"
	case "la", "el", "los", "las", "lo":
		return "the"
	case "opción", "opcion", "variante", "alternativa", "propuesta", "solución", "enfoque":
		return "option"
	case "opciones", "alternativas", "enfoques", "variantes", "maneras":
		return "options"
	case "número", "numero", "núm":
		return "number"
	// Taking it.
	case "elijo", "escojo", "tomo", "cojo", "elige", "toma", "tomemos", "elegimos", "me quedo", "quédate",
		"nos quedamos", "prefiero que", "voto", "agarra", "coge", "escoge":
		return "take"
	case "usa", "usemos", "usar", "usamos", "utiliza", "utilicemos":
		return "use"
	case "prefiero", "preferimos", "mejor", "más bien", "me inclino":
		return "rather"
	case "quiero", "queremos", "me gustaría", "quisiera":
		return "i want"
	case "vamos", "vámonos", "vayamos", "adelante", "dale", "venga", "órale", "orale", "hagámoslo",
		"hagamoslo", "tira", "procede", "manos a la", "andando", "métele", "vamos allá", "a por ello",
		"hecho", "de una":
		return Go
	case "ve con", "vete con", "voy con", "iría con", "iria con":
		return "take"
	case "con":
		return "with"
	case "por":
		return "~with"
	case "para", "pa":
		return "~for"
	case "de", "del", "en", "al", "ahí", "mismo", "que sea":
		return "~"
	case "porque", "ya que", "así no", "asi no", "así", "asi":
		return "because"
	case "y", "e":
		return "~and"
	case "o", "u":
		return "~or"
	case "pero", "aunque":
		return "but"
	// Not taking it.
	case "no":
		return "~not"
	case "nunca", "sin", "ninguna", "ninguno", "tampoco", "ni":
		return "not"
	case "si":
		return "~if"
	case "por qué", "por que", "porqué":
		return "why"
	case "cómo", "cuánto", "cuanto", "qué tal":
		return "how"
	case "como":
		return "~as"
	case "qué", "lo que":
		return "what"
	case "que":
		return "~what"
	case "cuando", "cuándo":
		return "when"
	case "cuál", "cual", "cuáles":
		return "which"
	case "demasiado":
		return "too"
	// Judging it.
	case "es":
		return "~is"
	case "está", "parece", "me parece", "suena", "sería", "seria":
		return "is"
	case "me gusta", "me gusta más":
		return "sounds good"
	case "bien", "buena", "bueno", "genial", "muy bien":
		return "good"
	case "suena bien", "me parece bien", "está bien", "esta bien", "me sirve", "me vale", "me convence",
		"trato hecho":
		return "sounds good"
	case "perfecto":
		return "perfect"
	case "buena idea":
		return "good idea"
	// Yes.
	case "sí", "claro", "claro que sí", "por supuesto", "exacto", "exactamente", "correcto", "eso es",
		"efectivamente":
		return "yes"
	case "de acuerdo", "conforme", "aprobado", "acordado":
		return "agreed"
	case "vale", "listo", "ok pues", "bueno pues", "oye":
		return "ok"
	case "hazlo", "haz eso", "haz esto", "haz lo", "hacelo", "hazlo así", "hágalo", "hazlo asi", "házlo",
		"puedes hacerlo", "hagamos eso", "hagámoslo así":
		return "do it"
	case "por favor", "porfa", "porfavor":
		return "please"
	case "gracias":
		return "thanks"
	case "eso", "ese", "esa":
		return "that"
	case "esto", "este", "esta":
		return "this"
	// What the agent says.
	case "yo":
		return "i"
	case "nosotros":
		return "we"
	case "tú", "usted", "te":
		return "you"
	case "me":
		return "~me"
	case "tu", "su":
		return "~your"
	case "nuestra", "nuestro":
		return "our"
	case "recomendación", "recomendacion", "sugerencia":
		return "recommendation"
	case "recomendada", "recomendado", "sugerida":
		return "recommended"
	case "recomiendas", "propones", "sugieres", "tú recomiendas", "lo que recomiendas", "lo que propones":
		return "what you recommend"
	case "recomiendo", "yo recomiendo", "te recomiendo", "mi recomendación", "sugiero", "aconsejo":
		return "i'd recommend"
	case "propongo", "yo propongo", "te propongo", "mi propuesta":
		return "i propose"
	case "yo usaría", "usaría", "yo iría con", "yo elegiría", "optaría por":
		return "i'd use"
	case "mantener", "mantengamos", "mantendría", "dejar", "mantenga":
		return "keep"
	case "cambiar a", "migrar", "migrar a", "pasar a":
		return "switch"
	case "guardar", "almacenar", "reemplazar", "sustituir", "guardaría":
		return "store"
	case "quieres", "quieres que", "quiere que", "querés que", "te gustaría que", "debo", "debería",
		"puedo", "prefieres que":
		return "should i"
	case "podemos", "podríamos", "podemos usar":
		return "we could"
	case "prefieres", "preferís", "prefiere", "preferencia", "te quedas", "eliges":
		return "you prefer"
	case "te parece", "te parece bien", "qué te parece", "qué opinas", "estás de acuerdo",
		"de acuerdo con esto", "te convence", "le parece bien":
		return "agree"
	case "ejecute", "ejecuto", "ejecutar", "lance", "lanzar", "corra", "corro":
		return "run"
	case "haga commit", "haga el commit", "hago commit", "hacer commit":
		return "commit"
	case "suba", "subir", "haga push":
		return "push"
	case "continúe", "continuar", "siga", "sigo", "continúo":
		return "continue"
	case "empiece", "empiezo", "empezar", "comience":
		return "start"
	case "revise", "reviso", "revisar", "mire":
		return "check"
	case "implemente", "implemento", "implementar", "lo implemente", "lo haga", "lo hago", "lo haga así":
		return "implement it"
	case "ahora":
		return "now"
	case "siguiente", "después":
		return "next"
	case "en lugar", "en vez", "más simple", "más sencillo":
		return "instead"
	// Remembering.
	case "recuerda", "acuérdate", "acuerdate", "recuerde", "memoriza", "apunta", "apúntate", "anota",
		"anotá", "acordate", "ten presente", "ten en cuenta", "recordá":
		return "remember"
	case "recuerda que", "recuerde que", "recordá que", "acuérdate que", "acuérdate de que", "acordate que",
		"no olvides que", "no te olvides que", "no te olvides de que", "no olvide que", "memoriza que",
		"apunta que", "anota que", "anotá que", "ten presente que", "ten en cuenta que":
		return "remember that"
	case "no olvides", "no te olvides":
		return "remember"
	case "recuérdalo", "recuerdalo", "apúntalo", "apuntalo", "anótalo", "anotalo", "memorízalo",
		"guárdalo en memoria", "no lo olvides", "no olvides esto", "tenlo presente", "tenlo en cuenta",
		"que no se te olvide":
		return "remember that"
	case "olvida":
		return "forget"
	case "siempre", "la próxima", "próxima", "la proxima", "futuro", "adelante siempre":
		return "always"
	case "decisión":
		return "decision"
	case "regla":
		return "rule"
	case "restricción", "límite":
		return "constraint"
	case "deuda":
		return "debt"
	case "dijiste", "acabas de decir", "has dicho":
		return "you said"
	case "dije", "acabo de decir", "he dicho":
		return "i said"
	case "decidimos", "acordamos", "hemos decidido":
		return "we decided"
	case "entonces", "pues", "pos":
		return "then"
	case "acuerdo":
		return "agreed"
	case "olvides", "olvide", "quedo",
		"inclino", "gustaría", "gusta", "convence", "puedes", "favor", "cambiar", "hago", "haga",
		"hacer", "tenlo", "dicho", "hemos", "acabo", "acabas", "guárdalo", "más", "muy", "hay", "tenemos",
		"estoy", "puede", "quiere", "ten":
		return telling
	}
	return ""
}
