//! What single words mean to a comparison, in the languages it knows: English, German, Spanish, French, Chinese and
//! Japanese. A word that is in no list has to be in both texts, so a gap here never loses a fact; it only keeps one more.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What a word is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Says nothing that could be a difference: articles, copulas, "also", "currently".
    Ignored,
    /// `is` and its like: ignored, but a value may follow.
    Copula,
    /// `a`, `an`: ignored, but one thing is meant.
    One,
    /// A preposition: it gives the next word its part in the sentence.
    Role,
    /// Turns a statement round.
    Negation,
    /// The plain negation of Spanish and French, beside which another ([`Meaning::Concord`]) adds nothing: "no … nunca".
    PlainNegation,
    /// A negation unless a plain one stands in the same clause.
    Concord,
    /// Of whom: by this letter (1 me and us, 2 you, m he, f she, t they).
    Pronoun(char),
    /// A number.
    Number(u32),
    /// What numbers before it are multiplied with.
    Times(u32),
    /// 1 to 12.
    Month(u8),
    /// 1 (Monday) to 7.
    Weekday(u8),
    /// The same as this other word.
    Same(&'static str),
    /// A tense other than the present.
    Tense,
}

const IGNORED: &str = "the it its this that these those just very really also so then there too do does and as which \
    please actually currently basically now \
    der die das den dem des dass sich auch sehr da doch und gerade bitte wirklich derzeit aktuell \
    el la los las lo unos unas que y se muy también actualmente realmente \
    le les des du l qu et ce cette ces s très aussi actuellement vraiment";
const COPULAS: &str = "is are be am being 's ist sind bin bist es son está están est sont";
const ONES: &str = "a an ein eine einen einem einer eines un una une";
const ROLES: &str = "of to in on at by for from with into about onto via per toward towards during between among \
    against over under through near \
    von vom aus nach zu zum zur in im ins auf bei beim mit für gegen über unter durch an am um zwischen \
    de del en al con por para desde hacia entre sobre contra \
    d au aux à dans sur pour par avec chez vers entre sous contre";
const NEGATIONS: &str = "not never without cannot neither nobody nothing none nowhere no-longer instead-of rather-than \
    nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder anstatt statt \
    sin en-vez-de en-lugar-de sans au-lieu-de plutôt-que \
    не нет без никогда não sem non senza tidak bukan jangan tanpa belum 안 못";
const PLAIN_NEGATIONS: &str = "no ne n";
const CONCORDS: &str = "nunca jamás nadie nada ningún ninguno ninguna tampoco ni \
    pas jamais rien aucun aucune guère nor никто ничего";
const TENSES: &str = "was were did had been will shall would used-to going-to \
    war waren hatte hatten wurde wurden wird werden fue era eran fueron ha han había será était étaient sera";

const PRONOUNS: [(char, &str); 5] = [
    (
        '1',
        "i me my mine myself we us our ours ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren yo mi mis \
         nosotros nos nuestro nuestra je j mon ma mes moi nous notre nos m",
    ),
    (
        '2',
        "you your yours yourself du dich dir dein deine deinen deinem euch euer tú tu tus te ti usted toi tes vous votre vos",
    ),
    (
        'm',
        "he him his himself er ihn ihm sein seine seinen seinem seiner él il lui",
    ),
    ('f', "she her hers herself ella elle"),
    (
        't',
        "they them their theirs themselves sie ihr ihre ihren ihrem ellos ellas su sus ils elles leur leurs sa ses",
    ),
];

const NUMBERS: [(u32, &str); 32] = [
    (0, "zero null cero zéro"),
    (1, "one eins uno first once"),
    (2, "two zwei dos deux second twice both"),
    (3, "three drei tres trois third"),
    (4, "four vier cuatro quatre fourth"),
    (5, "five fünf cinco cinq fifth"),
    (6, "six sechs seis sixth"),
    (7, "seven sieben siete sept seventh"),
    (8, "eight acht ocho huit eighth"),
    (9, "nine neun nueve neuf ninth"),
    (10, "ten zehn diez dix tenth"),
    (11, "eleven elf onze"),
    (12, "twelve zwölf doce douze dozen"),
    (13, "thirteen dreizehn trece treize"),
    (14, "fourteen vierzehn catorce quatorze"),
    (15, "fifteen fünfzehn quince quinze"),
    (16, "sixteen sechzehn dieciséis seize"),
    (17, "seventeen siebzehn diecisiete"),
    (18, "eighteen achtzehn dieciocho"),
    (19, "nineteen neunzehn diecinueve"),
    (20, "twenty zwanzig veinte vingt"),
    (21, "einundzwanzig veintiuno"),
    (22, "zweiundzwanzig veintidós"),
    (24, "vierundzwanzig veinticuatro"),
    (25, "fünfundzwanzig veinticinco"),
    (30, "thirty dreißig treinta trente"),
    (40, "forty vierzig cuarenta quarante"),
    (50, "fifty fünfzig cincuenta cinquante"),
    (60, "sixty sechzig sesenta soixante"),
    (70, "seventy siebzig setenta"),
    (80, "eighty achtzig ochenta"),
    (90, "ninety neunzig noventa"),
];
const TIMES: [(u32, &str); 3] = [
    (100, "hundred hundert cien ciento cent cents"),
    (1_000, "thousand tausend mil mille"),
    (1_000_000, "million millionen millón millones millions"),
];

const MONTHS: [&str; 12] = [
    "january jan januar enero janvier",
    "february feb februar febrero février",
    "march märz marzo mars",
    "april abril avril",
    "may mai mayo",
    "june juni junio juin",
    "july juli julio juillet",
    "august aug agosto août",
    "september sep septiembre septembre",
    "october oct oktober octubre octobre",
    "november nov noviembre novembre",
    "december dec dezember diciembre décembre",
];
const WEEKDAYS: [&str; 7] = [
    "monday mondays montag montags lunes lundi",
    "tuesday tuesdays dienstag dienstags martes mardi",
    "wednesday wednesdays mittwoch mittwochs miércoles mercredi",
    "thursday thursdays donnerstag donnerstags jueves jeudi",
    "friday fridays freitag freitags viernes vendredi",
    "saturday saturdays samstag samstags sábado sábados samedi",
    "sunday sundays sonntag sonntags domingo domingos dimanche",
];

/// Words that are the same as the first of their line. Only what is the same in every sentence belongs here.
const SAME: [&str; 19] = [
    "called named",
    "every all each",
    "favorite favourite",
    "color colour",
    "buy purchase",
    "bought purchased",
    "email e-mail",
    "movie film",
    "telephone phone",
    "kids children",
    "begins starts",
    "ok okay",
    "gray grey",
    "dollar dollars usd $",
    "euro euros eur €",
    "pound pounds gbp £",
    "percent % prozent",
    "jeden alle jede jeder jedes",
    "todos todas cada",
];

/// Phrases that count as one word.
pub(super) const PHRASES: [(&[&str], &str); 9] = [
    (&["no", "longer"], "no-longer"),
    (&["instead", "of"], "instead-of"),
    (&["rather", "than"], "rather-than"),
    (&["used", "to"], "used-to"),
    (&["going", "to"], "going-to"),
    (&["en", "vez", "de"], "en-vez-de"),
    (&["en", "lugar", "de"], "en-lugar-de"),
    (&["au", "lieu", "de"], "au-lieu-de"),
    (&["plutôt", "que"], "plutôt-que"),
];

/// Words that only mean something with the day they were said on.
const DAY_WORDS: &str = "today yesterday tomorrow tonight ago last next recently week weekend morning \
    heute gestern morgen letzte letzten letztes nächste nächsten hoy ayer mañana pasado pasada próximo próxima \
    aujourd hui hier demain dernier dernière prochain prochaine 今 昨 明 先 来 去";

static DAY_WORD_SET: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| DAY_WORDS.split_whitespace().collect());

/// Whether a word only means something with the day it was said on.
pub(super) fn is_day_word(word: &str) -> bool {
    DAY_WORD_SET.contains(word)
}

/// What advice begins with.
const ADVICE: &str = "use prefer write keep run call avoid choose put add make format always answer reply verwende nutze schreibe \
    usa utiliza escribe utilise écris";

/// Whether advice begins with this word.
pub(super) fn is_advice(word: &str) -> bool {
    ADVICE.split_whitespace().any(|known| known == word)
}

/// Whether this word begins a clause that says what advice is for ("for searching files, use …").
pub(super) fn is_purpose(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "when"
            | "while"
            | "whenever"
            | "für"
            | "beim"
            | "wenn"
            | "para"
            | "cuando"
            | "al"
            | "pour"
            | "quand"
    )
}

/// Words that say the opposite of each other, as stems (see `embed::stem`).
const OPPOSITES: &str = "love/hate like/dislike like/hate enjoy/hate love/dislike enable/disable on/off open/closed open/close \
    always/never start/stop accept/reject accept/refuse allow/forbid allow/deny before/after increase/decrease left/right \
    true/false win/lose buy/sell public/private required/optional married/single married/divorced vegetarian/carnivore \
    morning/evening early/late first/last can/cannot must/may likes/avoids use/avoid \
    liebt/hasst mag/hasst an/aus vor/nach immer/nie offen/geschlossen ama/odia encanta/odia siempre/nunca abierto/cerrado \
    aime/déteste adore/déteste toujours/jamais ouvert/fermé";

/// Cues that only one value can be right: what follows them differs, so one of the two is wrong or out of date.
const SINGLE: &str = "live work run named called prefer favorite default located deadline version port birthday born capital cost \
    weigh moved set host use based budget owner manager meeting standup due end address password limit expires model \
    wohnt lebt arbeitet heißt läuft bevorzugt vive trabaja llama prefiere habite vit travaille appelle préfère deploy \
    住 叫 名 是 勤";

/// Each stem of [`OPPOSITES`] with those that say the opposite.
static OPPOSITE_STEMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut opposites: HashMap<String, Vec<String>> = HashMap::new();
    for (one, two) in OPPOSITES
        .split_whitespace()
        .filter_map(|pair| pair.split_once('/'))
    {
        opposites.entry(stem(one)).or_default().push(stem(two));
        opposites.entry(stem(two)).or_default().push(stem(one));
    }
    opposites
});

/// The stems that say the opposite of one.
pub(super) fn opposites(stem: &str) -> &'static [String] {
    OPPOSITE_STEMS
        .get(stem)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

static SINGLE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| SINGLE.split_whitespace().map(stem).collect());

/// Whether only one value can follow the word with this stem.
pub(super) fn is_single(stem: &str) -> bool {
    SINGLE_STEMS.contains(stem)
}

/// The stem of a word in small letters.
pub(super) fn stem(word: &str) -> String {
    crate::embed::stem::stem(word)
}

static MEANINGS: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let mut meanings = HashMap::new();
    let mut put = |words: &'static str, meaning: Meaning| {
        for word in words.split_whitespace() {
            meanings.entry(word).or_insert(meaning);
        }
    };
    put(NEGATIONS, Meaning::Negation);
    put(PLAIN_NEGATIONS, Meaning::PlainNegation);
    put(CONCORDS, Meaning::Concord);
    for (number, words) in NUMBERS {
        put(words, Meaning::Number(number));
    }
    for (number, words) in TIMES {
        put(words, Meaning::Times(number));
    }
    for (words, number) in MONTHS.into_iter().zip(1..) {
        put(words, Meaning::Month(number));
    }
    for (words, number) in WEEKDAYS.into_iter().zip(1..) {
        put(words, Meaning::Weekday(number));
    }
    for words in SAME {
        let first = words.split_whitespace().next().unwrap_or_default();
        put(words, Meaning::Same(first));
    }
    put(TENSES, Meaning::Tense);
    for (who, words) in PRONOUNS {
        put(words, Meaning::Pronoun(who));
    }
    put(ROLES, Meaning::Role);
    put(COPULAS, Meaning::Copula);
    put(ONES, Meaning::One);
    put(IGNORED, Meaning::Ignored);
    meanings
});

/// What a word in small letters means, if it is in a list.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    MEANINGS.get(word).copied()
}
