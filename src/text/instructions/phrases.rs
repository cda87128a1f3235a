//! Which words must come together, in languages that write blanks. The patterns' form is in [`super::words`]; their
//! letters are folded (no accents, no capitals), as the texts they are compared with.
//!
//! Kept narrow on purpose. A word that people use among each other ("forget the old rules", "do not tell Ada") needs a
//! partner that only an agent is told ("instructions", "user", an address for the vault).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::instructions::abroad;
use crate::text::instructions::words::{Pattern, Token};

/// Drop what you were told.
const OVERRIDE: &[&str] = &[
    // English
    "ignore|disregard|override|bypass|forget|discard ~2 previous|prior|preceding|earlier|above|foregoing|former ~2 instruction|instructions|prompt|prompts|directive|directives|guideline|guidelines|guardrails|programming|context|rules|messages",
    "ignore|disregard|override|bypass|forget|discard ~2 your|system|developer|all|any ~3 instruction|instructions|prompt|prompts|directive|directives|guardrails|programming",
    "ignore|disregard|override|bypass|forget|discard ~1 your ~2 guidelines|rules|training|restrictions|safety",
    "ignore|disregard|override|bypass|forget ~2 instructions|prompt|directives|rules ~1 above|before|earlier|given|you ~3",
    "ignore|disregard|forget ~1 everything|anything|all ~1 above|you ~2",
    "ignore|disregard|forget ~1 everything|all ~2 youve|were|was ~1 told|instructed|given",
    "stop ~1 following ~2 your|previous|prior|system ~2 instructions|rules|guidelines",
    "do not|no follow|obey ~2 your|previous|prior|system|the ~2 previous|system|original|developer ~1 instructions|prompt|rules",
    "override|overrides|supersede|supersedes|replace|replaces ~2 your|system|all ~2 system|previous|prior|other|earlier ~1 instructions|prompt|directives",
    "ignore|disregard|forget ~1 what|whatever you ~2 told|instructed|given ~3 earlier|before|previously|above|until",
    // German
    "ignorier|ignoriere|ignorieren|ignoriert|missachte|missachten|vergiss|vergesst|vergessen|uberschreibe|umgehe|verwirf ~3 vorherig*|bisherig*|fruher*|obig*|vorangegangen*|vorig*|vorausgehend*|deine|deiner|system* ~3 anweisung*|instruktion*|befehl*|vorgabe*|prompt*|systemprompt*|regeln",
    "ignorier|ignoriere|ignorieren|vergiss|vergessen ~2 alle|alles ~3 anweisung*|instruktion*|systemprompt*|gesagt|oben",
    "alle|allen|samtliche ~2 anweisung*|instruktion*|prompt* ~3 ignorieren|missachten|vergessen",
    "vorherig*|bisherig*|obig* anweisung*|instruktion*|prompt* ~3 ignorieren|missachten|vergessen",
    // Spanish
    "ignora|ignore|ignorar|ignoren|olvida|olvide|olvidar|olvidate|descarta|desobedece|desestima ~4 instruccion*|indicaciones|ordenes|directrices|reglas|prompt ~2 anterior*|previa*|previo*|precedente*|sistema|arriba|originales",
    "ignora|ignore|ignorar|olvida|olvidate|descarta|desobedece ~2 todas|tus|sus|anteriores|previas ~3 instrucciones|indicaciones|directrices|reglas",
    "olvida|olvidate|ignora ~1 todo ~2 anterior|dicho|arriba",
    // French
    "ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|outrepasse|outrepassez|contourne|contournez ~4 instruction*|consigne*|directive*|regles|prompt ~2 precedent*|anterieur*|ci|systeme|dessus|initiales",
    "ignore|ignorez|ignorer|oublie|oubliez|oublier|contourne ~2 toutes|tes|vos|precedent*|anterieur* ~3 instruction*|consigne*|directive*|regles",
    "oublie|oubliez|ignore|ignorez ~1 tout ~3 precede|dit|dessus",
    // Italian, Portuguese, Dutch, Russian, Arabic
    "ignora|ignorate|ignorare|dimentica|dimenticate ~4 istruzioni|direttive|indicazioni|regole|prompt ~2 precedent*|sistema|sopra|anteriori",
    "ignora|ignorate|ignorare|dimentica ~2 tutte|tue|precedenti ~3 istruzioni|direttive|regole",
    "ignore|ignora|ignorem|ignorar|esqueca|esquece|desconsidere ~4 instrucoes|diretrizes|regras|prompt ~2 anterior*|previa*|sistema|acima",
    "ignore|ignora|esqueca|desconsidere ~2 todas|suas|tuas ~3 instrucoes|diretrizes|regras",
    "negeer|vergeet ~3 vorige|eerdere|bovenstaande|voorgaande|alle|jouw|je ~2 instructies|opdrachten|aanwijzingen|prompt",
    "игнорируй|игнорируйте|проигнорируй|проигнорируйте|игнорировать|забудь|забудьте|отбрось ~3 предыдущ*|прежн*|все|вышеуказанн*|системн* ~3 инструкци*|указани*|команд*|правил*|промпт*",
    "تجاهل|انس|تجاهلي ~3 التعليمات|الاوامر|الارشادات|تعليماتك",
];

/// Do it behind the person's back.
const SECRECY: &[&str] = &[
    "do not tell|inform|notify|alert|reveal|disclose|mention|say ~4 user|human|operator",
    "dont tell|inform|notify|alert|reveal|disclose|mention|say ~4 user|human|operator",
    "never tell|inform|notify|alert|reveal|disclose|mention|say ~4 user|human|operator",
    "without telling|informing|notifying|alerting|asking ~2 user|human|operator",
    "without ~1 users|user|humans ~1 knowledge|consent|noticing",
    "keep|hide ~1 this|it ~4 from ~1 user|human|operator",
    "user|human must|should|shall|may not|never know|learn|see|notice|find ~3 this|it|out",
    "sag|sage|verrate|erzahl|erzahle|teile|melde|erwahne|informiere|informieren|benachrichtige ~4 benutzer|nutzer|anwender|benutzerin|nutzerin ~4 nicht|nichts|niemals|kein*",
    "benutzer|nutzer|anwender|benutzerin|nutzerin ~2 nicht|nichts|niemals|kein* ~3 sagen|mitteilen|verraten|erzahlen|erwahnen|informieren|erfahren|davon",
    "ohne ~3 benutzer|nutzer|anwender|benutzerin|nutzerin ~4 informieren|sagen|fragen|mitzuteilen|benachrichtigen|wissen",
    "nicht|nichts ~1 gegenuber ~1 benutzer|nutzer|anwender ~2 erwahnen|sagen",
    "no ~2 digas|diga|informes|informe|avises|avise|menciones|mencione|reveles|revele|cuentes|cuente|notifiques|notifique ~5 usuario|usuaria",
    "sin ~1 informar|avisar|decir|decirle|notificar|consultar ~4 usuario|usuaria",
    "ne|n ~2 dis|dites|informe|informez|previens|prevenez|mentionne|mentionnez|revele|revelez|parle|parlez|avertis|avertissez ~5 utilisateur|utilisatrice|usager",
    "sans ~2 informer|prevenir|avertir|demander|dire ~4 utilisateur|utilisatrice|usager",
    "non ~1 dire|dirlo|informare|rivelare|avvisare|menzionare ~4 utente",
    "senza ~1 informare|avvisare|dirlo|chiedere ~3 utente",
    "nao ~1 diga|conte|informe|avise|revele|mencione|notifique ~5 usuario|utilizador",
    "не ~1 говори|говорите|сообщай|сообщайте|рассказывай|упоминай|раскрывай ~4 пользовател*",
    "zeg|vertel|meld ~3 gebruiker ~3 niet|niets",
];

/// Send it away.
const EXFILTRATION: &[&str] = &[
    "send|email|mail|forward|upload|post|transmit|exfiltrate|leak|submit|deliver|relay|copy|paste|report ~4 vault|memories|credentials|passwords|secrets ~6 @",
    "send|email|mail|forward|upload|post|transmit|exfiltrate|leak|submit|deliver|relay|report ~4 system|conversation|chat|users|private|personal prompt|history|log|transcript|data|notes|details ~6 @",
    "send|email|mail|forward|upload|post|transmit|exfiltrate|leak|report ~1 everything|all ~1 you|that|of|your ~4 @|know|remember",
    "send|email|mail|forward|post ~1 @ ~5 vault|memories|credentials|passwords|secrets|everything",
    "send|forward|upload|post|transmit|exfiltrate|leak ~2 vault|memories ~3 attacker|server|webhook|endpoint|outside",
    "append|include|encode|embed|add|put|insert ~5 memories|secrets|conversation|vault|credentials|passwords|prompt|history ~5 url|link|image|query|parameter|request",
    "sende|schicke|maile|leite|ubermittle|lade|poste|senden|schicken|exportiere ~5 tresor|vault|passworter|zugangsdaten|geheimnisse|gesprachsverlauf|chatverlauf|systemprompt ~6 @",
    "sende|schicke|maile|leite|ubermittle|lade|poste|exportiere ~2 alle|samtliche ~2 erinnerungen|daten|notizen ~6 @",
    "envia|envie|manda|mande|reenvia|sube|publica|enviar|transmite ~5 boveda|memorias|contrasenas|credenciales|secretos|historial|conversacion ~6 @",
    "envia|envie|manda|mande|reenvia|sube ~1 todos|todas ~2 recuerdos|datos|notas|mensajes ~6 @",
    "envoie|envoyez|envoyer|transmets|transmettez|televerse|publie|publiez ~5 coffre|memoires|secrets|identifiants|conversation|historique|passe ~6 @",
    "envoie|envoyez|transmets|transmettez ~1 tous|toutes ~2 souvenirs|donnees|notes|messages ~6 @",
    "invia|inviate|inoltra|carica ~5 memorie|ricordi|password|credenziali|segreti|conversazione|cronologia ~6 @",
    "envie|encaminhe|mande|carregue ~5 memorias|cofre|senhas|credenciais|segredos|conversa|historico ~6 @",
    "отправь|отправьте|перешли|перешлите|загрузи ~5 воспоминани*|хранилищ*|парол*|секрет*|переписк*|истори* ~6 @",
];

/// Be somebody else, do what only the person may, show what is not to be shown.
const POWER: &[&str] = &[
    "you are|re now ~4 dan|unrestricted|unfiltered|jailbroken|uncensored|freed|root|admin|administrator",
    "you are|re no longer ~4 bound|restricted|limited|claude|chatgpt|ai|assistant|constrained",
    "pretend|act|behave|roleplay|respond ~3 unrestricted|unfiltered|jailbroken|uncensored|dan",
    "from now on ~4 obey|comply|unrestricted|ignore",
    "from now on you are|re ~2 dan|unrestricted|unfiltered|jailbroken|uncensored|root",
    "note|message|memo|instruction|instructions|reminder to|for ~1 ai|llm|agent|agents|assistant|assistants|model|models|chatbot ~1 when|whenever|if|always|never|you",
    "when|once|if you read|see ~1 this ~1 reveal|execute|output|print|ignore|disregard",
    "when|whenever|before|after summarizing|summarising|answering|responding|replying ~2 append|include|insert|add|attach|embed|put|fetch|visit ~6 @",
    "ai|llm|agent|assistant|model|chatbot should|must|shall ~2 run|execute|curl|wget|eval ~3 @",
    "do anything now",
    "if|because|since you are|re ~1 ai|llm|chatbot|language",
    "if youre ~1 ai|llm|chatbot|language",
    "if|when|once|whenever|after an|any|a|the ai|llm|agent|assistant|model|chatbot ~1 reads|sees|recalls|retrieves|processes|finds|loads",
    "when|once|whenever|after you ~1 recall|retrieve|load|process|summarize|summarise ~1 this|these ~1 memory|note|entry|context|document|text|message|record",
    "ai|llm|agent|agents|assistant|assistants|model|models|bots reading|processing|parsing|summarizing|summarising|recalling|seeing this|these",
    "attention ~1 ai|llm|agent|agents|assistant|assistants|model|models|chatbots",
    "reveal|print|output|repeat|show|display|leak|expose|recite|tell ~2 your ~2 prompt|instructions|guidelines",
    "reveal|leak|expose|recite ~2 system|hidden prompt|instructions",
    "repeat ~2 words|text|everything|instructions above",
    "delete|forget|erase|wipe|remove|purge ~1 all|every|entire|whole ~3 memories|memory|vault",
    "approve|accept ~2 all|every ~2 memories|memory|proposals|pending ~1 memories|proposals|yourself|queue|notes",
    "mark ~1 this|all|these ~1 memory|memories|note|notes|entry ~2 approved|trusted|verified|active",
    "switch|set|change|put ~2 vault ~4 auto",
    "grant|give yourself|attacker ~3 access|permission|permissions|privileges|scopes",
    "also grant|give ~2 access",
    "disable|ignore|bypass|override|drop your ~2 safety|security|content|ethical ~2 checks|filters|filter|guardrails|measures|protocols|policies|guidelines|training",
    "call|use|invoke|run|trigger ~1 forget tool|function",
    "call|use|invoke|run|trigger ~2 tool|function ~2 forget",
    "call|use|invoke|run|trigger ~3 bulk remember",
    "call|use|invoke|run|trigger ~3 propose memory",
    "decode ~4 base6* ~5 follow|execute|obey|run",
    "new|updated|real|actual|revised system|developer instruction|instructions|prompt|message",
    "end of system|user|previous prompt|input|instructions|message",
    "du bist jetzt|nun|ab ~4 uneingeschrankt*|dan|befreit|entsperrt|administrator|unzensiert",
    "wenn|falls du ~2 ki|sprachmodell|assistent|sprachassistent|agent ~2 bist|ist",
    "zeig|zeige|verrate|nenne|wiederhole|gib ~2 dein|deine|deinen|den ~2 systemprompt|prompt|anweisungen|instruktionen",
    "losche|vergiss|entferne ~1 alle|samtliche ~2 erinnerungen",
    "ahora|desde eres|ahora ~4 dan|irrestricto|administrador|libre",
    "si eres ~2 ia|asistente|modelo|agente",
    "revela|muestra|imprime|repite|dime ~1 tu|tus ~2 prompt|instrucciones|indicaciones",
    "revela|muestra|imprime|repite ~2 prompt del|de ~1 sistema",
    "borra|elimina|olvida ~1 todas|todos ~2 memorias|recuerdos",
    "tu es|etes desormais|maintenant ~4 dan|illimite|libre|administrateur",
    "si tu|vous es|etes ~2 ia|assistant|modele|agent",
    "revele|revelez|affiche|affichez|montre|montrez|repete|repetez|donne ~2 ton|tes|vos|votre|le ~2 prompt|instructions|consignes ~1",
    "supprime|supprimez|efface|effacez|oublie|oubliez ~1 tous|toutes ~2 souvenirs|memoires",
];

/// Words before a pattern that turn it into its opposite.
const NEGATIONS: &[&str] = &["not", "dont", "never", "nicht", "niemals", "jamas", "nunca"];

struct Table {
    patterns: Vec<(Pattern, bool)>,
    by_word: HashMap<&'static str, Vec<usize>>,
    by_beginning: Vec<(&'static str, usize)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let negatable = OVERRIDE.iter().map(|line| (*line, true));
    let others = [SECRECY, EXFILTRATION, POWER, abroad::POWER];
    let others = others.into_iter().flatten().map(|line| (*line, false));
    let mut table = Table {
        patterns: Vec::new(),
        by_word: HashMap::new(),
        by_beginning: Vec::new(),
    };
    for (number, (line, negatable)) in negatable.chain(others).enumerate() {
        let pattern = Pattern::read(line);
        for word in pattern.first_words() {
            match word.strip_suffix('*') {
                Some(beginning) => table.by_beginning.push((beginning, number)),
                None => table.by_word.entry(word).or_default().push(number),
            }
        }
        table.patterns.push((pattern, negatable));
    }
    table
});

/// Whether any pattern is in the tokens.
pub(super) fn are_in(tokens: &[Token]) -> bool {
    let table = &*TABLE;
    let mut before: Option<&Token> = None;
    let mut rest = tokens;
    while let Some((token, after)) = rest.split_first() {
        if let Token::Word(word) = token {
            let by_word = table.by_word.get(word.as_str()).into_iter().flatten();
            let by_beginning = table.by_beginning.iter();
            let by_beginning = by_beginning
                .filter(|(beginning, _)| word.starts_with(beginning))
                .map(|(_, number)| number);
            let negated =
                matches!(before, Some(Token::Word(word)) if NEGATIONS.contains(&word.as_str()));
            let found = by_word.chain(by_beginning).any(|number| {
                table
                    .patterns
                    .get(*number)
                    .is_some_and(|(pattern, negatable)| {
                        !(negated && *negatable) && pattern.begins(rest)
                    })
            });
            if found {
                return true;
            }
        }
        before = Some(token);
        rest = after;
    }
    false
}
