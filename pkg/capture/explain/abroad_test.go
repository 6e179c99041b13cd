package explain

import (
	"strings"
	"testing"
)

// An exchange is an offer of the agent, and what people say to it: by a part of what that takes, "" for
// nothing.
type exchange struct {
	offer string
	takes map[string][]string
}

// TestPicksAbroad: picks and what only looks like one, in the languages that have a table.
func TestPicksAbroad(t *testing.T) {
	for language, e := range map[string]exchange{
		"french": {
			"Deux possibilités :\n\n1. Redis comme broker\n2. Postgres avec une table de jobs\n3. RabbitMQ" +
				"\n\nLaquelle préfères-tu ?",
			map[string][]string{
				"Postgres": {"la deuxième", "la 2", "option 2", "l'option 2", "je prends la 2",
					"la seconde s'il te plaît",
					"on part sur la deuxième", "va pour la deuxième", "plutôt la 2, car on n'a pas de Redis",
					"la deuxième solution", "la 2, parce que c'est plus simple", "ok pour la 2",
					"oui, la deuxième",
					"Postgres", "on prend Postgres", "celle du milieu"},
				"Redis":    {"la première", "allez, la 1", "Redis, car c'est plus simple"},
				"RabbitMQ": {"la dernière", "la troisième alors", "je préfère la 3"},
				"": {"pas la 2", "pourquoi la 2 ?", "la deuxième est trop lente", "et la 2, ça donne quoi ?",
					"la 2 ne marche pas", "la deuxième fois ça a planté", "je ne veux pas de la 2",
					"aucune des deux",
					"deux tests échouent", "comment marche la deuxième"},
			},
		},
		"spanish": {
			"Hay dos opciones:\n\n**Opción A:** Redis como broker\n**Opción B:** Postgres con una tabla\n\n" +
				"¿Cuál prefieres?",
			map[string][]string{
				"Postgres": {"opción B", "la B", "la segunda", "la segunda opción", "me quedo con la B",
					"vamos con la B",
					"dale con la segunda", "prefiero la B porque es más simple", "mejor la B",
					"pues venga, la B",
					"elijo la opción b", "usa la B", "Postgres", "vale, la segunda"},
				"Redis": {"la primera", "sí, la A", "la opción A, por favor"},
				"": {"la B no", "¿por qué la B?", "la segunda es demasiado lenta", "no quiero la B",
					"ninguna",
					"la segunda vez falló", "qué pasa con la B", "no la segunda", "¿y la B?"},
			},
		},
		"portuguese": {
			"Temos duas opções:\n\n1) Sidekiq com Redis\n2) Solid Queue no Postgres\n\nQual você prefere?",
			map[string][]string{
				"Solid Queue": {"a segunda", "opção 2", "vamos de 2", "fico com a segunda", "prefiro a 2",
					"bora de segunda", "pode ser a 2, por favor", "vou de segunda, porque é mais simples",
					"a segunda opção", "Solid Queue", "vamos de Solid Queue"},
				"Sidekiq": {"a primeira", "sim, a primeira", "a 1 então"},
				"": {"a segunda não", "por que a 2?", "a segunda é lenta demais", "não quero a 2", "nenhuma",
					"a segunda vez deu erro", "e a 2, como fica?"},
			},
		},
		"russian": {
			"Есть два варианта:\n\n1. Kafka\n2. буфер в памяти\n3. Redis Streams\n\n" +
				"Какой вариант предпочитаешь?",
			map[string][]string{
				"буфер": {"второй вариант", "второй", "давай второй", "вариант 2", "давай 2", "беру второй",
					"2 вариант", "второе, пожалуйста", "тогда второе", "лучше второй",
					"давай вариант 2, так проще",
					"2-й", "да, второй"},
				"Kafka": {"давай первый", "первый вариант"},
				"Redis": {"последний", "третий"},
				"": {"не второй", "почему второй?", "второй слишком медленный", "второй раз упало", "ни один",
					"а что второй делает", "два теста падают", "зачем второй"},
			},
		},
		"chinese": {
			"有两种方案：\n\n方案A：用 Redis 做缓存\n方案B：用 Postgres 存任务\n\n你选哪个？",
			map[string][]string{
				"Postgres": {"第二个", "选B", "方案B", "选第二个", "用方案B", "走 B 吧", "B吧", "就用第二个吧", "第二种方案",
					"第二个，因为更简单", "我选B", "B 方案", "还是第二个吧", "内存加不了。走 B 吧"},
				"Redis": {"第一个", "那就选A", "好的，选第一个"},
				"": {"不要第二个", "为什么选B？", "第二个是什么", "第二个太慢", "B呢", "别选B", "第二次失败了", "两个测试失败了",
					"第二个怎么样"},
			},
		},
		"chinese, numbered": {
			"可以这样做：\n\n1、本地缓存\n2、Redis\n3、etcd 配额\n\n你更喜欢哪种？",
			map[string][]string{
				"Redis": {"选2", "2", "第2个", "第二个", "2号", "方案二", "用2吧", "中间那个"},
				"etcd":  {"最后一个", "第三种"},
				"":      {"2个测试失败", "不选2", "2 是什么"},
			},
		},
		"japanese": {
			"二つの方法があります。\n\n案A：税率を起動時に読み込む\n案B：毎回データベースに問い合わせる\n\nどちらにしますか？",
			map[string][]string{
				"データベース": {"案Bで", "Bでお願いします", "二つ目で", "二番目でお願いします", "案Bにします", "B案でいきましょう",
					"後者で", "Bがいいです", "やっぱりBで", "では、二つ目でお願いします", "Bでいい"},
				"税率": {"案Aでお願いします。税率は年に数回しか変わりませんし", "最初の案で", "一つ目にしましょう"},
				"":   {"Bじゃない", "なぜBですか？", "二つ目は遅い", "Bは何ですか", "Bはやめて", "二つ目の意味は？", "Bってなに"},
			},
		},
		"japanese, numbered": {
			"選択肢：\n\n1. drift\n2. sqflite\n3. isar\n\nどれにしますか？",
			map[string][]string{
				"sqflite": {"2番で", "2で", "2番でお願いします", "2つ目で", "二番で", "2番目にします", "2番がいいです", "真ん中ので"},
				"isar":    {"3番で", "最後のやつで"},
				"":        {"2番じゃない", "2回失敗しました", "2番は？", "2つのテストが失敗"},
			},
		},
		"korean": {
			"두 가지 방법이 있습니다.\n\n1안) 외부 API 호출\n2안) 내부 서버에 설치\n\n어느 쪽이 좋으세요?",
			map[string][]string{
				"내부": {"두 번째로", "2번이요", "2안으로 하시죠", "2번으로 해주세요", "두번째로 갑시다", "2안", "2번", "2안이 좋아요",
					"두 번째 방법으로 진행해주세요", "2번으로 가자", "네, 2번으로요", "그럼 2안으로 할게요"},
				"외부": {"첫 번째요", "1안으로", "1번이 좋을 것 같아요"},
				"":   {"2번 말고", "왜 2번이에요?", "2번은 너무 느려요", "두 번째는 뭐예요", "2번 실패했어요", "2안은 안 돼요", "2번은 어때"},
			},
		},
	} {
		for want, all := range e.takes {
			for _, said := range all {
				r, ok := Resolve(e.offer, said)
				if ok != (want != "") || !strings.Contains(r.Text, want) {
					t.Errorf("%s: %q takes %q, want %q", language, said, r.Text, want)
				}
				if ok && !mayRefer(said) {
					t.Errorf("%s: %q takes something and is not looked at", language, said)
				}
			}
		}
	}
}

// TestAgreementsAbroad: a yes to what the agent proposed, and what is none.
func TestAgreementsAbroad(t *testing.T) {
	for language, e := range map[string]exchange{
		"french": {
			"Je propose de garder les montants en centimes, car les flottants dérivent. Ça te va ?",
			map[string][]string{
				"centimes": {"oui, fais ça", "d'accord, vas-y", "oui", "ok, fais comme ça", "oui vas-y",
					"ça me va",
					"parfait, vas-y", "bonne idée, fais-le", "allez-y"},
				"": {"non", "non, pas ça", "pourquoi ?", "je ne suis pas d'accord", "merci", "pas d'accord",
					"c'est quoi les centimes", "ne fais pas ça"},
			},
		},
		"spanish": {
			"Propongo guardar los importes en céntimos, porque los flotantes se desvían. ¿Te parece bien?",
			map[string][]string{
				"céntimos": {"sí, dale", "vale, hazlo", "sí", "de acuerdo", "claro, adelante",
					"perfecto, hazlo así",
					"suena bien", "dale", "sí, por favor"},
				"": {"no", "no, gracias", "¿por qué?", "no lo hagas", "no estoy de acuerdo", "gracias",
					"mejor no"},
			},
		},
		"portuguese": {
			"Proponho guardar os valores em centavos, porque os floats derivam. O que acha?",
			map[string][]string{
				"centavos": {"sim, pode fazer", "sim", "pode fazer assim", "beleza, manda ver", "concordo",
					"bora",
					"fechado", "boa ideia, pode fazer", "perfeito, faz isso"},
				"": {"não", "não faz isso", "por quê?", "não concordo", "obrigado"},
			},
		},
		"russian": {
			"Предлагаю хранить суммы в копейках, потому что дробные числа накапливают ошибку. Как тебе?",
			map[string][]string{
				"копейках": {"да, давай", "да", "согласен", "давай", "хорошо, так и сделай",
					"ок, делай так", "договорились",
					"звучит разумно", "отлично, погнали"},
				"": {"нет", "не надо", "зачем?", "не согласен", "спасибо", "нет, не так"},
			},
		},
		"chinese, asked whether to": {
			"我建议把金额存成整数分，因为浮点数会有误差。要我这样做吗？",
			map[string][]string{"金额": {"好的", "好"}, "": {"不好", "不要"}},
		},
		"portuguese, asked whether to": {
			"Proponho guardar os valores em centavos, porque os floats derivam. Posso fazer assim?",
			map[string][]string{"centavos": {"sim", "pode fazer"}, "": {"não"}},
		},
		"spanish, asked whether to": {
			"Propongo guardar los importes en céntimos, porque los flotantes se desvían. ¿Lo hago así?",
			map[string][]string{"céntimos": {"sí, dale", "sí"}, "": {"no"}},
		},
		"russian, asked whether to": {
			"Предлагаю хранить суммы в копейках, потому что дробные числа накапливают ошибку. Сделать так?",
			map[string][]string{"копейках": {"да, давай", "да"}, "": {"нет"}},
		},
		"japanese, asked whether to": {
			"金額は整数で保存することを提案します。進めてよいですか？",
			map[string][]string{"金額": {"はい"}, "": {"いいえ"}},
		},
		"chinese": {
			"我建议把金额存成整数分，因为浮点数会有误差。你觉得怎么样？",
			map[string][]string{
				"金额": {"好的，就这样", "可以，做吧", "可以", "行", "同意", "好，就这么办", "没问题", "听你的", "是的，就这么做"},
				"":   {"不行", "不要", "为什么？", "不同意", "谢谢", "不太好"},
			},
		},
		"japanese": {
			"金額は整数で保存することを提案します。誤差が出ないためです。よろしいですか？",
			map[string][]string{
				"金額": {"はい、お願いします", "それでいきましょう", "はい", "賛成です", "いいですね、それで進めてください", "了解、それでお願いします",
					"それで進めて"},
				"": {"いいえ", "だめです", "なぜですか？", "やめてください", "ありがとう", "それは違う"},
			},
		},
		"korean": {
			"금액을 정수로 저장하는 것을 제안합니다. 오차가 없기 때문입니다. 어떠세요?",
			map[string][]string{
				"금액": {"네 그렇게 해주세요", "좋아, 진행해", "네", "동의합니다", "그렇게 하시죠", "좋아요, 그렇게 진행해주세요", "ㅇㅋ ㄱㄱ"},
				"":   {"아니요", "안 돼요", "왜요?", "동의하지 않아요", "감사합니다", "하지 마세요"},
			},
		},
	} {
		for want, all := range e.takes {
			for _, said := range all {
				r, ok := Resolve(e.offer, said)
				if ok != (want != "") || !strings.Contains(r.Text, want) {
					t.Errorf("%s: %q agrees to %q, want %q", language, said, r.Text, want)
				}
				if ok && !mayRefer(said) {
					t.Errorf("%s: %q takes something and is not looked at", language, said)
				}
			}
		}
	}
}

// BenchmarkMayRefer is what every prompt costs: most refer to nothing.
func BenchmarkMayRefer(b *testing.B) {
	for name, said := range map[string]string{
		"english": "Please have a look at the importer: the nightly run fails with a timeout since " +
			"Tuesday, and I don't know why. The log is in out/run.log. We changed the batch size on Monday.",
		"german": "Schau dir bitte den Importer an: der nächtliche Lauf bricht seit Dienstag mit einem " +
			"Timeout ab. Das Log liegt in out/run.log. Am Montag haben wir die Größe der Stapel geändert.",
		"french": "Regarde l'importateur : le traitement de nuit échoue depuis mardi avec un " +
			"timeout. Le journal est dans out/run.log. Lundi nous avons changé la taille des lots.",
		"chinese": "看一下导入程序：夜间任务从周二开始超时失败，我不知道为什么。日志在 out/run.log 里。周一我们改了批次大小。",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				mayRefer(said)
			}
		})
	}
}
