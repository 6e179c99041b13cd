package secret

// letterPairs says for each pair of letters how much likelier it is in a part of a name than by chance, in
// quarters of a nat above letterZero. It has a row for the beginning of a part and for each first letter; a
// row has a character for each second letter and for the end. TestRandomLetters writes it.
const letterPairs = "" +
	"ihkijigfi\\chihgj_jmjfef[X\\<" +
	"Qgkk_agQgTdmilShMljmcbaecXZ" +
	"lba_kZ`SlgZo_\\j`Zgh_mX[SlS\\" +
	"l`c_l]ekfNlib_nc^heke`YUaN_" +
	"i]_io^_^k^Sg\\`h^Yhf^f`^^bOd" +
	"i_ijddcZ\\UZgfk`dbmki^cdhcTc" +
	"jYacjk][pRVkcalaVjhfjYXVdR_" +
	"e^h^n_cfiRReaik`XiiecZXRVZd" +
	"oW]boWWSiS\\\\b]k_ShaghY]SbWb" +
	"ebjhgghU[WMjjpkfWgjlUeUdMhU" +
	"k]]]q]]]]]]]d]j]]]obl]]]]]^" +
	"g\\^ap_d]iTT_afaaZ]h_h\\]T_Te" +
	"k`]go_^WmO_kZ^m_S[dgh_YOfS`" +
	"of^boWPYkP]df^ilP[fchPUY\\P`" +
	"j\\jklel]hReaadi_]_jmfd]R`Ua" +
	"cdli\\gdUcNeiinghNmhhjef^[R]" +
	"nXbbn][dgO`i_ZkhOmejhVTObO`" +
	"Zbbc_Z__aZZaZ_ZaZffatZZZ_Za" +
	"lZdeoacUlMdbeck`Qijidc\\WfMb" +
	"fYh\\m\\`hkMcd`\\fg\\]hngWbYfVc" +
	"k[d_n][hmLUaa\\haTkgedX__hYc" +
	"ehfckheQhUUjjobkUjllQ[U`Q`X" +
	"p]]ar\\_UjUU]a_efYabb^[\\\\U^_" +
	"ma^aj[[elUUa[ij_Ung_[UYUUUc" +
	"f^g`i^]`iUU\\c\\_m\\U]oZ]^^dUe" +
	"__b]bS[SaS\\`fi\\oX^kkXS^SSZe" +
	"i_]YtY]]gYYa]]fYY]b]YY]beh\\"

// shortParts are the parts of two to five letters that many names have. TestRandomLetters writes them.
const shortParts = "" +
	" abs add addr aes after alert align alive all alloc allow and any arch arena arg args array ascii" +
	" at attr bad base basic begin bit bits block body bool break buf build by byte bytes cache call can" +
	" case cb cert cf cgo chain chan char check chunk class close cmd code color conn const copy count" +
	" cpu cr ctx curve cycle data date debug dec decl depth dial dir dns do done dot dump early ech emit" +
	" empty enc end entry env equal err error ev eval event ex exec exit expr ext extra fast fd field" +
	" file files find first fixed flag flags float flush for form frame free from full func fuzz gc gcm" +
	" gen get gnu go group has hash have heap hello hint hook host html id ident idle idx if in index" +
	" info init input inst int ip is item js json keep key kind label large last left len level limit" +
	" line lines link list lit load local lock log long loop lower make map mark mask match max mem merge" +
	" meta mime min mode model msg mul must mutex name named names need net new next nil no node non not" +
	" num obj of off oid ok old on once one only op open ops or order os out page pages panic param parse" +
	" part path pax pc per pipe pkg point poll pool port pos prev print proc prof proto proxy ptr put" +
	" query queue quic race rand range rank raw read recv reg reset right root round rsa run rune safe" +
	" scan scope self sema send seq serve set shift sid sig sign simd size skip slice slow small sort" +
	" space span spec split stack start state stats std stmt stop store str stw sub sum swap sweep sync" +
	" sys table tag task tcp test text time timer tls to token too total trace trim try type types udp" +
	" uint unix url usage use user util val valid value var wait walk with word work write wsa zero "
