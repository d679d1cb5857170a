import type { Sign } from './signs.ts';

/** Not part of a longer word, in any script that parts words. */
const word = (source: string): string => `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`;

/** Languages share words, so each sign is denied by the words of all. */
const DENIAL = new RegExp(
  // A clause that begins as a condition tells of no fact.
  `^\\s*(?:wenn|falls|sobald|si|s['’]il|se|quand|lorsque|cuando|quando|если|когда|als|indien|jeśli|gdy)(?![\\p{L}\\p{N}_])|(?<![\\p{L}])(?:cuando|quando|quand|lorsque|wenn|falls|если|когда) (?:\\S+ ){0,2}(?:falt|manc|manq|fehl)|(?<![\\p{L}])(?:mientras|finché|tant que|solange|bis zum|até que|hasta que|пока)(?![\\p{L}]) (?!не )|^\\s*fehlt \\S+\\s*$|${word(
    [
      'keine?[nrsm]?|nichts|nie(?:mals|mand)|nicht (?:mehr|nötig|notwendig|erforderlich)|fehlerfrei|(?:0|null) fehl\\p{L}*',
      "aucune?|rien|0|zéro|plus besoin|n['’]est (?:pas |plus )?nécessaire",
      'ning[uú]n[oa]?|nada|nadie|no (?:hace|hay|hubo|requiere|es) (?:falta|nada|ning\\p{L}+|necesari[oa]|pendient\\p{L}+|fall\\p{L}+)',
      'nenhum\\p{L}*|ninguém|não (?:é|foi|há|houve|são) (?:preciso|necess\\p{L}+|pendente\\p{L}*|falh\\p{L}+)|nem',
      'nessun\\p{L}*|niente|nulla|non manca\\p{L}*|non (?:serve|servono|è necessari[oa]|occorre|ci sono)',
      'geen|niets|żad\\p{L}+|nic nie|ничего|никаких|не (?:требуется|нужно|нужны|осталось)|нет',
    ].join('|'),
  )}`,
  'iu',
);
/** It was so, or is meant to be so. */
const HARMLESS = new RegExp(
  word(
    [
      'behoben|(?:nun|jetzt) (?:läuft|laufen|grün|besteh\\p{L}+)|vorher|zuvor|wie (?:verlangt|erwartet|gefordert|vorgesehen|beschrieben)|erwartungsgemäß|nicht teil (?:dieser|der) aufgabe|läuft (?:er|es|sie) durch',
      'corrigé\\p{L}*|sans (?:le correctif|la correction|ce changement)|remplac\\p{L}+|maintenant|désormais|comme (?:prévu|attendu|demandé)|hors (?:du )?périmètre',
      'ahora (?:pasan?|funciona\\p{L}*)|corre(?:gí|gid\\p{L}*)|como (?:se (?:pide|esperaba|esperado)|pide)|fuera de(?:l)? alcance',
      'agora (?:passa\\p{L}*|funciona\\p{L}*)|corrig\\p{L}+|como (?:pedido|esperado|pede)|fora do escopo',
      "ora (?:pass\\p{L}+|funziona\\p{L}*)|corrett[oaie]|come (?:richiesto|previsto)|fuori (?:dall['’])?ambito",
      'теперь (?:проход\\p{L}+|работа\\p{L}+)|исправ\\p{L}+|как и (?:ожидалось|требуется)',
      'opgelost|naprawi\\p{L}+',
    ].join('|'),
  ),
  'iu',
);

/** A part of the product may be switched off, a check may not. */
const checkOff = (off: string, check: string): string =>
  `(?:${off})\\p{L}*[^.;]{0,25} (?:${check})\\p{L}*|(?:${check})\\p{L}* (?:[^.;]{0,25} )?(?:${off})\\p{L}*`;

const sign = (source: string): Sign => ({ pattern: new RegExp(word(source), 'giu'), denial: DENIAL, unless: HARMLESS });
/** Of a script without blanks between words. */
const within = (source: string, unless?: string): Sign => ({
  pattern: new RegExp(source, 'gu'),
  ...(unless === undefined ? {} : { unless: new RegExp(unless, 'u') }),
});

/**
 * Signs in other languages than English (R-VER-11): what is not done or not possible, put off, skipped, weakened, red,
 * or left to a person. What denies them is in the same clause, so each brings its own denial.
 */
export const SIGNS_ELSEWHERE: readonly Sign[] = [
  // German
  sign(
    `(?:noch )?nicht (?:\\p{L}+ )?(?:getestet|implementiert|fertig|gelaufen|ausgeführt|umgesetzt|erledigt|möglich|geschafft|abgeschlossen|geprüft|verifiziert|gelungen|vollständig|erreicht|erfüllt|lauffähig|übersetzt|ausführen|testen|prüfen|starten|installiert|verfügbar|bestanden)|noch nicht|konnten? (?:ich|wir)|(?:ich|wir) konnten?|nicht in der Lage|fehl(?:t|en)(?! nichts)|offen (?:bleib\\p{L}+|ist|sind)|noch offen|steh(?:t|en) (?:noch )?aus|ausstehend|(?:wurden?|habe|haben|hab|ist|sind|musste)[^.;]{0,40}übersprungen|ausgelassen|weggelassen|zurückgestellt|verschoben auf|auskommentiert|${checkOff('deaktivier|ausgeschaltet|abgeschaltet', 'test|prüfung|regel|lint|check|hook')}|gelockert|herabgesetzt|gesenkt|platzhalter|attrappe|vorläufig|vorerst|provisorisch|später|manuell\\p{L}*|von hand|händisch|jemand|bitte|teilweise|zur hälfte|nur zum teil|unvollständig|ungetestet|schlagen? [^.;]{0,25}fehl|fehlgeschlagen|(?:ist|sind|bleibt|bleiben) (?:noch |weiterhin )?rot|vermutlich|wahrscheinlich|sollte (?:jetzt )?(?:funktionieren|gehen|laufen)|nur theoretisch|leider|allerdings nur|bis auf|unmöglich`,
  ),
  // French
  sign(
    `(?:n['’]|ne |n’)\\p{L}*(?: \\p{L}+)? (?:pas|plus) (?:pu|été|encore|réussi|fini|terminé|testé|lancé|exécuté|fait)|pas encore|pas (?:été )?(?:testé|vérifié|implémenté|exécuté|terminé|fini|lancé|possible|fait|écrit|ajouté)\\p{L}*|impossible|reste(?:nt)? (?:encore )?à|reste(?:nt)? [^.;]{0,30}à faire|manque(?:nt)?|à la main|manuellement|(?:intervention|étapes?|action|validation|vérification|configuration|travail) manuel\\p{L}*|j['’]ai ignoré|(?:tests?|étapes?|vérifications?|cas|critères?) [^.;]{0,25}ignoré\\p{L}*|sauté\\p{L}*|${checkOff('désactiv', 'test|vérification|règle|lint|contrôle')}|commenté\\p{L}*|partiel(?:le)?(?:ment)?|la moitié|(?:est|sont|reste(?:nt)?) (?:encore )?incompl\\p{L}+|à faire|en attente|échoue(?:nt|ra)?|a échoué|ont échoué|en échec|plus tard|provisoire(?:ment)?|pour l['’]instant|bouchon|simulé\\p{L}*|non testé\\p{L}*|devrai(?:t|ent) (?:marcher|fonctionner|passer)|faute de|quelqu['’]un|veuillez|malheureusement|sauf|à moitié`,
  ),
  // Spanish
  sign(
    `no (?:se )?(?:pude|pudo|pudimos|he podido|puedo|puede|consegu\\p{L}+|logr\\p{L}+|está\\p{L}* (?:hech|list|termin|implement|prob)\\p{L}*|ejecut\\p{L}+|prob[éaá]\\p{L}*|funciona\\p{L}*|verifi\\p{L}+|pasa\\p{L}*|termin\\p{L}+|fue posible|hay (?:acceso|red|forma))|(?:todavía|aún) no|falta\\p{L}*|pendientes?|queda(?:n)? (?:por|pendiente)|a mano|manualmente|(?:intervención|pasos?|trabajo|acción|pruebas?|revisión|configuración|aprobación) manual(?:es)?|omit(?:í|imos|id[oa]s?)|salt(?:é|ad[oa]s?)|${checkOff('desactiv|deshabilit', 'prueba|test|regla|lint|verificaci|comprobaci')}|coment(?:é|ad)\\p{L}*|parcial(?:mente|es)?|incomplet\\p{L}+|a medias|la mitad|fall(?:a|an|ó|aron|aban|ando)|sin probar|dej(?:o|é|amos) [^.;]{0,20}(?:para|sin|pendiente|comentad)\\p{L}*|más (?:tarde|adelante)|provisional(?:mente)?|por ahora|de momento|imposible|debería\\p{L}* (?:funcionar|pasar)|alguien|por favor|excepto|salvo`,
  ),
  // Portuguese
  sign(
    `não (?:foi|foram|consegui\\p{L}*|pude|pôde|está\\p{L}* (?:pront|feit|termin|implement)\\p{L}*|rodei|rodou|execut\\p{L}+|test\\p{L}+|funciona\\p{L}*|verifiqu\\p{L}+|passa\\p{L}*|há (?:acesso|rede))|ainda não|falta\\p{L}*|pendentes?|manualmente|(?:intervenção|passos?|trabalho|ação|testes?|revisão|configuração|aprovação) (?:manual|manuais)|à mão|ignorei|(?:testes?|casos?|etapas?|passos?) [^.;]{0,25}ignorad\\p{L}+|pul(?:ei|ad)\\p{L}*|${checkOff('desativ|desabilit', 'teste|regra|lint|verifica')}|coment(?:ei|ad)\\p{L}*|parcial(?:mente)?|incomplet\\p{L}+|pela metade|falh(?:a|am|ou|aram|ando)|sem testar|mais tarde|depois faço|provisóri\\p{L}+|por enquanto|impossível|deve(?:ria)? (?:funcionar|passar)|alguém|por favor|exceto`,
  ),
  // Italian
  sign(
    `non (?:è andat\\p{L}+|sono riuscit\\p{L}+|ho (?:potuto|ancora|eseguito|testato|provato|verificato|completato)|è (?:stat\\p{L}+|possibile|ancora|pront\\p{L}+|complet\\p{L}+)|sono (?:stat\\p{L}+|ancora|pront\\p{L}+)|funziona\\p{L}*|pass(?:a|ano)|c['’]è (?:accesso|rete))|manca(?:no)?|resta(?:no)? da|rimane|rimangono|in sospeso|a mano|manualmente|(?:intervento|passi|passo|lavoro|azione|test|revisione|configurazione|approvazione) manual[ei]|saltat\\p{L}+|${checkOff('disattivat|disabilitat', 'test|regol|lint|verific|controll')}|commentat\\p{L}+|parzial\\p{L}+|incomplet\\p{L}+|a metà|la metà|fallisc(?:e|ono)|fallit\\p{L}+|senza (?:testare|provare)|più tardi|in seguito|provvisori\\p{L}+|per ora|impossibile|segnaposto|dovrebbe(?:ro)? (?:funzionare|passare)|qualcuno|per favore|tranne|purtroppo`,
  ),
  // Russian
  sign(
    `не (?:сделан\\p{L}*|запуск\\p{L}+|провер\\p{L}+|удал\\p{L}+|смог\\p{L}*|могу|готов\\p{L}*|работа\\p{L}+|реализован\\p{L}*|заверш\\p{L}+|проход\\p{L}+|тестир\\p{L}+|нашёл|нашел|выполн\\p{L}+)|пока не|(?:ещё|еще) не|остал(?:о|а|и)сь|оста[её]тся|пропу(?:щ|ст)\\p{L}+|${checkOff('отключ', 'тест|провер|правил|линт')}|закоммент\\p{L}+|вручную|частично|половин\\p{L}+|заглушк\\p{L}+|пада(?:ет|ют)|упал\\p{L}*|провал\\p{L}+|позже|временно|невозможно|нет доступа|не хватает|кто-то|пожалуйста|кроме|(?:экспорт|тестов|второго|третьего) нет|должн\\p{L}+ работать|только (?:перв|част)\\p{L}+`,
  ),
  // Dutch, Polish
  sign(
    'niet (?:getest|gelukt|uitgevoerd|af|klaar|mogelijk|gedraaid)|nog niet|overgeslagen|uitgeschakeld|handmatig|ontbreekt|ontbreken|kon ik|gedeeltelijk|mislukt|faalt|falen|nie (?:udało|działa|przetestowa|uruchom|mog|zosta)\\p{L}*|jeszcze nie|brakuje|pomin\\p{L}+|ręcznie|częściowo|wyłącz\\p{L}+',
  ),
  // Chinese
  within(
    '未(?!发现|改动|修改|受影响)|没(?:有)?(?:时间|办法|完成|测试|实现|运行|执行|验证|通过|成功|做|跑|能|处理|权限|网络)|没能|无法|不能(?!为)|尚未|还没|还未|(?:已|被|先|我)跳过|跳过(?:了|该|这|测试|检查|第)|暂时|暂未|待办|待完成|待处理|待定|手动|人工|部分(?:完成|实现|通过)|一半|占位|失败(?!时|后|重试|的|则|次数)|注释掉|禁用.{0,6}(?:测试|检查|规则|校验|用例)|(?:测试|检查|规则|校验|用例).{0,6}禁用|关闭了.{0,6}(?:检查|测试|规则)|稍后|以后再|之后再|(?:还|仍|但)缺少|缺少(?!的|.{0,20}时)|仍然|仍有|不完整|不通过|未通过|应该(?:可以|能|没问题)|请(?:手动|检查|运行|确认|自行)|需要(?:人|有人|你|您|手动|管理员)|除了|写死|硬编码|降低了',
    '[ぁ-ヿ]|如果|时[，,默]|没有(?:失败|遗漏|跳过|错误)|无(?:需|须|失败|遗漏|错误)|不(?:需要|再需要)|[^\\d]0 ?个(?:失败|错误)|未发现|已修复|现在.{0,6}通过|之前.{0,12}(?:失败|跳过)|如预期',
  ),
  // Japanese
  within(
    'でき(?:ません|なかった|ていません|ず、)|未(?:実装|完了|テスト|対応|検証|実行|確認|着手|完成)|(?:して|って)(?:いません|いない)|(?:しません|りません)でした|まだ|残って|残り|スキップ(?:しました|した(?=。|$|の)|しています)|手動|手作業|一部(?:のみ|だけ|は)|仮(?:実装|の)|失敗(?!した[一-龠ァ-ヴ]|時|すると|の場合)|(?:テスト|検査|チェック|ルール|検証).{0,8}無効(?:化|に)|無効(?:化|に)した.{0,6}(?:テスト|検査|チェック|ルール|検証)|コメントアウト|後で|後ほど|後回し|不足|必要があります|お願い|ください|半分|はず(?:です|だ)|ダミー|緩め|不明|以外は',
    '(?:残作業|問題|失敗|不足|残り|スキップ)(?:は|が|も)?(?:ありません|なし|見つかりません)|(?:項目|箇所|点|もの|作業|ファイル|ケース|テスト)(?:は|が|も)(?:ありません(?!でした)|なし|ない)|場合[はにも、]|変更前|以前は|見つかりません|不要|必要(?:は|が)?ありません|失敗[^0-9]{0,3}0|0 ?件|修正(?:済|し)|すべて成功|期待(?:どおり|通り)|仕様(?:どおり|通り)',
  ),
  // Korean
  within(
    '못했|못 했|않았|안 했|미완료|미구현|실패|건너뛰|수동으로|나중에|아직|일부만|임시',
    '없(?:습니다|음)|0 ?개|수정(?:했|됨)|필요 없',
  ),
];
