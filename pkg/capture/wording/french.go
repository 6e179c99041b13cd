package wording

// french returns what a phrase of French says in English, "" if the table does not have it.
func french(w string) string {
	switch w {
	// Which one.
	case "premier", "première", "premiere", "1er", "1re", "1ère", "1ere":
		return "first"
	case "deuxième", "deuxieme", "seconde", "2e", "2ème", "2eme", "2nde":
		return "second"
	case "second":
		return "~second"
	case "troisième", "troisieme", "3e", "3ème", "3eme":
		return "third"
	case "quatrième", "quatrieme", "4e", "4ème":
		return "fourth"
	case "cinquième", "cinquieme", "5e", "5ème":
		return "fifth"
	case "dernier", "dernière", "derniere":
		return "last"
	case "du milieu", "celle du milieu", "celui du milieu":
		return "the middle one"
	case "un", "une":
		return "~one"
	case "deux":
		return "two"
	case "trois":
		return "three"
	case "quatre":
		return "four"
	case "cinq":
		return "five"
	case "les deux", "tous les deux", "toutes les deux":
		return "both"
	case "tous", "toutes", "tout":
		return "all"
	case "le", "la", "les", "l'", "celle", "celui":
		return "the"
	case "option":
		return "~option"
	case "choix", "l'option":
		return "option"
	case "approche", "variante", "solution", "alternative", "suggestion", "proposition":
		return "~option"
	case "options", "solutions", "approches", "possibilités", "choix suivants", "pistes":
		return "~options"
	case "numéro", "numero", "n°":
		return "number"
	// Taking it.
	case "prends", "je prends", "prenons", "on prend", "choisis", "je choisis", "choisissons", "on choisit",
		"je vote", "prendre", "choisir":
		return "take"
	case "je pars", "partons", "on part", "va", "je reste", "restons", "on reste":
		return "~go with"
	case "prenez", "utilise", "utilisons", "on utilise", "utiliser", "utilisez":
		return "use"
	case "je préfère", "je prefere", "préfère", "on préfère", "je penche", "j'aime mieux", "plutôt",
		"plutot":
		return "rather"
	case "je veux", "on veut", "je voudrais", "j'aimerais":
		return "i want"
	case "allons y", "vas y", "allez y", "on y va", "c'est parti", "go", "lance toi", "on fait ça",
		"on fait comme ça", "on part là dessus", "feu vert", "banco", "vendu", "adjugé", "ça roule",
		"marché conclu":
		return Go
	case "allons", "allez":
		return Go
	case "avec", "pour", "sur":
		return "with"
	case "de", "des", "du", "en", "à", "au", "aux", "d'", "c'", "y", "j'", "n'", "qu'", "s'", "il", "elle":
		return "~"
	case "parce que", "car", "puisque":
		return "because"
	case "vu que", "donc":
		return "since"
	case "comme":
		return "~since"
	case "et":
		return "and"
	case "ou", "ou bien":
		return "or"
	case "mais", "sauf que":
		return "but"
	case "soit":
		return "either"
	// Not taking it.
	case "ne", "pas", "jamais", "sans", "non", "aucune", "aucun", "ni":
		return "not"
	case "si":
		return "~if"
	case "pourquoi", "pour quoi":
		return "why"
	case "comment", "combien":
		return "how"
	case "que", "qui", "quoi", "qu'est ce", "ce que", "ce qu'on", "qu'en":
		return "~what"
	case "quand", "où":
		return "when"
	case "quel", "quelle", "laquelle", "lequel", "quels", "quelles":
		return "which"
	case "trop":
		return "too"
	// Judging it.
	case "est", "c'est", "serait", "semble", "me semble", "paraît", "me paraît", "ça me paraît":
		return "is"
	case "me va", "ça me va", "cela me va", "ça marche", "ça me convient", "ça roule pour moi",
		"ok pour moi":
		return "sounds good"
	case "bien", "bonne", "bon", "très bien", "tres bien":
		return "good"
	case "mieux", "meilleure", "meilleur":
		return "better"
	case "nickel", "impeccable", "génial", "super":
		return "~perfect"
	case "bonne idée", "bonne idee":
		return "good idea"
	// Yes.
	case "oui", "ouais", "ouep", "carrément", "tout à fait", "exactement", "évidemment":
		return "yes"
	case "d'accord", "entendu", "validé", "je valide", "c'est validé", "approuvé":
		return "agreed"
	case "d'ac", "bah", "ben", "hein", "du coup", "bon alors", "stp", "svp", "bref":
		return "well"
	case "fais ça", "fais le", "fais la", "fais", "faisons ça", "faisons le", "fais comme ça",
		"fais donc ça", "tu peux le faire", "tu peux y aller", "fais ainsi":
		return "do it"
	case "s'il te plaît", "s'il te plait", "s'il vous plaît", "te plaît", "vous plaît":
		return "please"
	case "merci":
		return "thanks"
	case "ça", "cela", "ceci":
		return "that"
	case "ce", "cette", "ces", "cet":
		return "this"
	case "comme ça", "ainsi":
		return "that way"
	// What the agent says.
	case "je", "moi":
		return "i"
	case "on", "nous":
		return "~we"
	case "tu", "vous", "toi":
		return "you"
	case "me":
		return "~me"
	case "ta", "ton", "votre", "tes":
		return "your"
	case "notre", "nos":
		return "our"
	case "recommandation", "préconisation":
		return "recommendation"
	case "recommandée", "recommandé", "conseillée", "conseillé":
		return "recommended"
	case "tu recommandes", "tu conseilles", "tu proposes", "tu préconises":
		return "you recommend"
	case "je recommande", "je conseille", "je préconise", "je suggère", "je te recommande",
		"je vous recommande":
		return "i'd recommend"
	case "je propose", "je te propose", "je vous propose":
		return "i propose"
	case "je prendrais", "je partirais sur", "je choisirais", "j'opterais pour":
		return "i'd take"
	case "je garderais", "garder", "gardons", "garde":
		return "keep"
	case "passer à", "migrer", "passe à", "basculer":
		return "switch"
	case "stocker", "stocke", "remplacer", "remplace", "ajouter une limite":
		return "store"
	case "tu veux", "veux tu", "vous voulez", "voulez vous", "souhaites tu", "souhaitez vous",
		"tu veux que", "veux tu que", "tu préfères que", "dois je", "est ce que je dois", "je peux",
		"puis je":
		return "should i"
	case "on peut", "nous pouvons", "on pourrait":
		return "we could"
	case "préfères tu", "tu préfères", "tu preferes", "préférez vous", "vous préférez", "ta préférence":
		return "you prefer"
	case "qu'en penses tu", "qu'en dis tu", "ça te va", "cela te convient", "ça te convient",
		"tu es d'accord", "ça vous va", "cela vous convient", "es tu d'accord", "on fait comme ça alors":
		return "agree"
	case "lance", "lancer", "exécute", "exécuter", "lance les":
		return "run"
	case "commite", "commiter", "committer":
		return "commit"
	case "pousser", "pousse":
		return "push"
	case "continuer", "continue":
		return "~continue"
	case "commencer", "commence", "démarrer":
		return "start"
	case "vérifie", "vérifier", "regarde", "regarder":
		return "check"
	case "implémente", "implémenter":
		return "implement"
	case "maintenant":
		return "now"
	case "ensuite":
		return "next"
	case "au lieu", "plus simple", "plutôt que":
		return "instead"
	// Remembering.
	case "retiens", "retenez", "mémorise", "rappelle toi", "souviens toi", "souviens t'en", "à retenir",
		"retiens bien":
		return "remember"
	case "retiens que", "retenez que", "mémorise que", "rappelle toi que", "souviens toi que",
		"n'oublie pas que", "n'oubliez pas que", "garde en tête que", "note que",
		"notez que", "note bien que":
		return "remember that"
	case "n'oublie pas", "n'oubliez pas":
		return "remember"
	case "garde en tête", "garde à l'esprit", "garde ça en tête", "garde en mémoire":
		return "remember that"
	case "note", "notez":
		return "~remember"
	case "note le", "note ça", "note bien ça", "retiens le", "n'oublie pas ça", "prends note":
		return "remember that"
	case "oublie":
		return "forget"
	case "décision":
		return "decision"
	case "règle":
		return "rule"
	case "contrainte":
		return "constraint"
	case "dette":
		return "debt"
	case "dit", "as dit", "viens de dire", "avons dit", "a dit":
		return "said"
	case "décidé", "avons décidé", "a décidé":
		return "decided"
	case "alors":
		return "then"
	case "parfait":
		return "perfect"
	case "prend", "ok pour", "d'accord pour", "va pour", "partant pour", "pars":
		return "take"
	case "vas", "choisit", "veut", "là", "plaît", "viens", "souviens", "parce", "veux", "milieu", "fait",
		"peut", "dois", "puis", "pourrait", "marché", "êtes", "suis", "être", "sont", "dans", "avons",
		"faut", "donne":
		return telling
	case "trois façons", "deux façons", "plusieurs façons":
		return "options"
	}
	return ""
}
