package wording

// chinese returns what a phrase of Chinese says in English, "" if the table does not have it.
func chinese(w string) string {
	switch w {
	// Which one.
	case "第一个", "第一种", "第一", "头一个", "前一个", "前者", "第一案":
		return "the first"
	case "第二个", "第二种", "第二", "后一个", "后者", "第二案":
		return "the second"
	case "第三个", "第三种", "第三", "第三案":
		return "the third"
	case "第四个", "第四种", "第四":
		return "the fourth"
	case "第五个", "第五种", "第五":
		return "the fifth"
	case "最后一个", "最后那个", "最后一种", "最后":
		return "the last"
	case "中间那个", "中间的":
		return "the middle"
	case "第一个方案", "第一种方案", "第一种方式", "第一种做法", "第一种办法":
		return "the first option"
	case "第二个方案", "第二种方案", "第二种方式", "第二种做法", "第二种办法":
		return "the second option"
	case "第三个方案", "第三种方案", "第三种方式", "第三种做法", "第三种办法":
		return "the third option"
	case "方案一", "选项一", "方法一":
		return "option one"
	case "方案二", "选项二", "方法二":
		return "option two"
	case "方案三", "选项三", "方法三":
		return "option three"
	case "方案四", "选项四":
		return "option four"
	case "两个都", "两种都", "两者都", "都要", "两个", "二者都":
		return "both"
	case "全都", "全部", "都":
		return "all"
	case "方法", "方式", "办法", "做法", "思路":
		return "option"
	case "哪些方案", "几个方案", "几种方案", "两个方案", "两种方案", "三个方案", "三种方案", "两种方式", "三种方式", "几种方式", "两种办法", "两个选项",
		"三个选项", "几个选项", "两种做法":
		return "options"
	case "号", "个", "种", "番":
		return "<option"
	case "第":
		return silent
	// Taking it.
	case "选", "选择", "我选", "就选", "用", "就用", "采用", "走", "就走", "按", "就按", "上", "选用", "那就选", "那就用", "就上", "挑",
		"要", "就要", "我要", "搞", "弄", "就搞":
		return "take"
	case "还是用", "还是选", "倾向", "倾向于", "更喜欢", "我更喜欢", "宁愿", "还是要", "还是":
		return "rather"
	case "使用", "改用", "沿用":
		return "use"
	case "就这样", "就这么办", "就这么做", "就这么定了", "就这么定", "开干", "干吧", "做吧", "开始吧", "搞吧", "弄吧", "来吧", "动手吧", "去做吧",
		"上吧", "就按这个来", "就按你说的", "按你说的做", "按你说的来", "按这个来", "照你说的做", "听你的", "就这么搞", "搞起", "动手", "冲", "照办",
		"就这样吧", "就这样做", "这样做吧", "这么做吧", "那就这样", "走起":
		return Go
	case "吧", "了", "的", "呀", "啊", "啦", "哈", "那", "那么", "我", "我们", "就", "来", "先", "嘛":
		return silent
	case "因为", "这样就", "毕竟":
		return "because"
	case "和", "加", "跟":
		return "and"
	case "或者", "或":
		return "or"
	case "但是", "不过", "但", "可是":
		return "but"
	// Not taking it.
	case "不", "不要", "别", "没", "没有", "不是", "不用", "不行", "不能", "无", "都不要", "都不", "不选", "不好", "不对", "不可以",
		"不太好", "别选":
		return "not"
	case "如果", "要是":
		return "if"
	case "为什么", "为啥", "凭什么":
		return "why"
	case "怎么", "怎么样", "如何", "咋样", "多少":
		return "how"
	case "什么", "呢", "吗", "么":
		return "what"
	case "哪个", "哪种", "哪一个", "哪一种", "哪个方案", "哪种方案":
		return "which"
	case "太":
		return "too"
	// Judging it.
	case "是", "看起来", "听起来", "感觉":
		return "is"
	case "不错", "挺好", "很好", "更好", "最好", "比较好", "更合适", "更简单", "简单":
		return "is good"
	case "听起来不错", "看起来不错", "我觉得可以", "没问题", "没意见", "我没意见", "同意这个方案":
		return "sounds good"
	case "好主意":
		return "good idea"
	// Yes.
	case "好的", "好", "好嘞", "是的", "对", "对的", "可以", "行", "嗯", "当然", "没错", "正是", "可以的", "行的", "嗯嗯", "可", "中":
		return "yes"
	case "同意", "赞成", "批准", "成交", "说定了", "通过", "同意了":
		return "agreed"
	case "好吧", "行吧", "ok的":
		return "ok"
	case "做", "做这个", "这样做", "这么做", "照做", "就做这个", "请这样做", "请这么做", "实现它":
		return "do it"
	case "请", "麻烦", "拜托", "麻烦你", "麻烦了":
		return "please"
	case "谢谢", "多谢", "辛苦了":
		return "thanks"
	case "这个", "这条", "这", "这点", "这件事", "这一点":
		return "this"
	case "那个", "那条", "那点":
		return "that"
	// What the agent says.
	case "你", "您", "你说":
		return "you"
	case "你的", "您的":
		return "your"
	case "推荐方案", "你的推荐", "你的建议", "你推荐的", "你建议的", "你推荐的方案":
		return "your recommendation"
	case "推荐的", "建议的":
		return "the recommended"
	case "我建议", "我推荐", "我的建议是", "我的推荐是", "建议", "推荐", "我倾向于", "个人建议":
		return "i'd recommend"
	case "我提议", "提议", "我打算":
		return "i propose"
	case "我会选", "我会用":
		return "i'd use"
	case "保留", "保持", "维持":
		return "keep"
	case "切换到", "迁移到", "换成", "改成", "换":
		return "switch"
	case "存储", "存到", "替换":
		return "store"
	case "要我", "需要我", "要不要我", "要不要", "需不需要我", "是否需要我", "是否", "我可以", "你希望我", "希望我":
		return "should i"
	case "我们可以", "可以选择":
		return "we could"
	case "你更喜欢", "你喜欢", "你选", "你倾向", "你想选", "你想要", "你想用", "您选", "您希望", "选哪个", "用哪个", "要哪个", "走哪个":
		return "which you prefer"
	case "你觉得", "你看", "你觉得呢", "你看呢", "你觉得怎么样", "可以吗", "行吗", "好吗", "同意吗", "这样可以吗", "怎么看", "觉得如何", "意下如何",
		"你觉得如何", "你看行吗", "这样行吗", "对吗":
		return "agree"
	case "运行", "执行", "跑", "跑一下":
		return "run"
	case "提交":
		return "commit"
	case "推送":
		return "push"
	case "继续":
		return "continue"
	case "开始":
		return "start"
	case "检查", "看一下", "查看":
		return "check"
	case "这样改", "这样实现", "按这个改", "照这个改", "这样处理":
		return "implement it"
	case "现在":
		return "now"
	case "接下来", "下一步":
		return "next"
	case "而不是", "代替":
		return "instead"
	// Remembering.
	case "记住", "记得", "记下", "记下来", "记一下", "请记住", "牢记", "要记住", "你记住", "记着", "给我记住":
		return "remember"
	case "记住这个", "记住这一点", "记住这点", "记住这条", "把这个记下来", "把这个记住", "这个记一下", "这条你记住", "这个你记住", "这点你记住", "别忘了这个",
		"别忘了这点", "记住它":
		return "remember this"
	case "我记得", "我还记得", "我记住了":
		return "i remember"
	case "你记得", "还记得", "你还记得":
		return "you remember"
	case "忘了", "忘记":
		return "forget"
	case "以后", "今后":
		return "always"
	case "决定", "这个决定":
		return "this decision"
	case "规则", "规定", "约定", "这个规则", "这个约定":
		return "this rule"
	case "限制", "约束", "这个限制":
		return "this constraint"
	case "技术债":
		return "debt"
	case "你说的", "你刚才说的", "你刚说的":
		return "what you said"
	case "我说的", "我刚才说的", "我刚说的":
		return "what i said"
	case "我们决定的", "我们定的":
		return "what we decided"
	case "方案", "选项", "案":
		return "<option|option"
	case "几种", "两种", "三种", "四种", "如下几种", "以下方案", "以下选项":
		return "options"
	}
	return ""
}
