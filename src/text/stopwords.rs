//! Words a question leaves out: they hold sentences together and are in every text. The index keeps them all.
//!
//! The lists are merged, since a question does not say its language. So a word is listed only if, in small letters and
//! without accents, it has no common meaning of its own in another listed language and is no usual name or abbreviation.
//! Left out for that reason are, among others, German *die*, *war*, *man*, *mit* (MIT), *für* ("fur"); French *sur*
//! (Spanish "south"), *son*, *pour*, *ai* (AI), *même*; Spanish *sin*, *para* (Turkish "money"); Italian *ci* (CI), *mia*;
//! Portuguese *os*, *eu*; Swedish *min* (minutes), *är*; Dutch *van*; Polish *ale*; Turkish *su* ("water"), *ben*;
//! Indonesian *dan*, *ada*. They stay in a question and weigh little, being frequent where they mean little.
//!
//! A question of nothing but stop words finds nothing. "The Who" is one of them; that is accepted.

use std::collections::HashSet;
use std::sync::LazyLock;

const ENGLISH: &str = "\
    a about after all also am an and any are aren't as at be because been before being both \
    but by can can't could couldn't did didn't do does doesn't doing don't during for from \
    get gets getting got had hadn't has hasn't have haven't having he her here hers herself \
    him himself his how i if in into is isn't it its itself just me my myself no nor not of \
    on or other our ours ourselves shall she should shouldn't so some such than that the \
    their theirs them themselves then there these they this those through to too until up \
    very was wasn't we were weren't what when where which while who whom whose why with \
    won't would wouldn't you your yours yourself yourselves";
const GERMAN: &str = "\
    aber als auf aus bei beim bist da damit das dass dein deine deinem deinen deiner der des \
    dich doch du durch ein eine einem einen einer eines er es euch euer gegen habe haben \
    hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im ist ja jede jeden \
    jeder jedes kann kein keine keinen können mein meine meinem meinen meiner mich mir nach \
    nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so \
    um und uns unser unsere unter vom von vor wann warum was weil welche welchem welchen \
    welcher welches wenn wer werden wie wieder wieviel wieviele wir wird wo woher wohin \
    worden wurde zu zum zur zwischen";
const FRENCH: &str = "\
    au aux avec ce ces cette ceux combien des donc du elle elles en est et eux il ils je la \
    laquelle le lequel les lesquelles lesquels leur leurs lui ma moi ne ni nos notre nous on \
    ont où par pas pourquoi puis quand que quel quelle quelles quels qui quoi sa sans se ses \
    si sont suis ta tes toi tu un une vos votre vous étaient était";
const SPANISH: &str = "\
    al algo aquel aquella como con cual cuando cuanto cuantos cuál cuáles cuándo cuánta \
    cuántas cuánto cuántos de del desde donde dónde el ellas ellos en entre es esas ese eso \
    esos esta estaba estaban estar este esto estos está están fue ha han hasta la las le les lo los mas me \
    mi mis muy no nos pero por porque quien quién quiénes qué se ser si sobre sus también te \
    tiene tu tus un una unas uno unos ya yo";
const ITALIAN: &str = "\
    agli alla alle allo anche che chi cui da dalla dallo dei del della delle dello di fra \
    gli hanno ho il in la le lei lo loro lui ma mi mie miei ne nei nel nella nelle nello noi \
    non nostra nostro per perché più quale quali quando quanta quante quanti quanto quella \
    quello questa queste questi questo sono sua sul sulla suo suoi tra tua tuo tuoi un una \
    uno voi";
const PORTUGUESE: &str = "\
    ao aos com como da das de dela dele do ela elas ele eles em entre essa esse esta este \
    estava estavam está foi isso isto já lhe me mesmo meu meus minha minhas muito na nas nem nessa nesse no \
    não nós onde ou pela pelo por porque quais qual quando quanta quantas quanto quantos que \
    quem se sem ser seu seus sua suas também tem teu um uma umas uns você vocês";
const DUTCH: &str = "\
    aan alle bij daar dat de deze dit doch doen een er geen heb hebben heeft het hij hoe \
    hoeveel hun ik is ja je jij jou jouw kan maar me mij mijn naar niet nog nu omdat onder \
    ons onze ook op te tegen toch toen uit uw voor waar waarom wanneer wat we welk welke \
    werd wie wij worden ze zij zijn zo zonder zou";
const SWEDISH: &str = "\
    alla att av blev blir de denna deras dess det detta du där efter ej eller er ett från ha \
    hade han har henne hon hur här icke ingen inte jag ju med mellan mig mitt när någon \
    något och om oss på samt sedan sig sina skulle som under upp utan vad varför vart vem \
    vid vilka vilken vilket";
const POLISH: &str = "\
    albo bardzo bez bo byli być był była było co czy dla do gdy gdzie ich im ja jak jaka \
    jaki jakie jako jego jej jest jestem jeszcze już kiedy kto która które który ma mi mnie \
    moj moja moje mu my mój na nasz nasza nich nie nim od oni oraz po przed przez przy się \
    skąd swój są ta tak tam te tego tej to tu tych tylko tym w we wy z za ze że";
const INDONESIAN: &str = "\
    adalah akan apa apakah atau bagaimana bahwa berapa bisa dalam dapat dari dengan di \
    dimana ini itu jika juga kami kapan karena ke kepada kita mengapa oleh pada saya sebagai \
    seperti siapa sudah telah tidak untuk yang";
const TURKISH: &str = "\
    acaba ama bana bir biri bu da daha de değil gibi hangi için kadar kaç ki mi mu mü mı \
    nasıl ne neden nerede nereye olan olarak oldu olduğu onlar onun siz ve veya ya yok çok";
const VIETNAMESE: &str = "các được không là những và";
const RUSSIAN: &str = "\
    а без бы был была были было в вам вас ваш весь во вот все всё вы где да для до его ее ей \
    если есть еще ещё её же за здесь и из или им их к как какая какие какой когда кого \
    который кто ли лишь мне мной мои мой моя моё мы на над нам нас наш не него нее нет неё \
    ни них но ну о об он она они оно от по под почему при про с сам свой себя сколько со так \
    также там те тебя тем то того тоже той только том тот ту ты у уже хотя чего чей чем что \
    чтобы чье эта эти это этот я";
const UKRAINIAN: &str = "\
    або але був була було вона вони воно від він де для й коли мені ми моя мій не ні по \
    скільки та те ти хто це цей ця чи чому що щоб як яка який які є і із їх її";
const GREEK: &str = "\
    αν από αυτά αυτή αυτό αυτός για δεν εγώ είμαι είναι είχε ένα ένας έχει έχω η ή θα και κι \
    με μετά μη μην μια μου μας ναι να ο οι όμως όπως ότι όταν που πού πότε ποια ποιο ποιος \
    πως πώς πόσο σας σε σου στα στη στην στις στο στον στους τα της τη την τι τις το τον του \
    τους των ως";
const ARABIC: &str = "\
    أن إن إلى أنا أنت أو أين التي الذي بعد بين به بها ذلك عن عند في فيه قد كان كانت كل كم \
    كيف لا لم لن لي له لها لماذا ما ماذا مع متى من منذ نحن هذا هذه هل هم هناك هو هي و يا";
const PERSIAN: &str = "\
    است از این آن با برای به چه چرا چیست در را که کجا کجاست کی ما من می و هست یا";
const HEBREW: &str = "\
    או אותה אותו איך איפה אל אם אנחנו אני אתה באיזה גם הוא היא היה היתה הם הן זאת זה זו יש \
    כי כל לא לי לך לו למה מאיפה מה מי מתי על עם של שלה שלו שלי שלך שלנו את";
const HINDI: &str = "\
    अपना अपनी अपने आप इस उस एक और का कहाँ कितना कितने कितनी किस की के कैसे को कौन क्या क्यों \
    कब तक तो था थी थे ने नहीं पर भी मुझे में मेरा मेरी मेरे मैं यह ये वह वे से हम है हैं हूँ \
    हो";
const KOREAN: &str = "\
    그 나 나는 내 내가 누가 누구 누구와 무슨 무엇 무엇을 무엇이 뭐 뭘 뭐야 어느 어디 어디서 어디에 어디에서 언제 어떤 어떻게 얼마 얼마나 왜 우리는 이 \
    있나 있나요 있는 있다 있어 있습니까 있습니다 입니까 인가요 저 저는 제 제가 하나요 하는 합니까 합니다 것 수 몇";

/// The lists of the languages in Latin letters.
pub(super) const LATIN: [&str; 12] = [
    ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, SWEDISH, POLISH, INDONESIAN,
    TURKISH, VIETNAMESE,
];
const OTHERS: [&str; 8] = [
    RUSSIAN, UKRAINIAN, GREEK, ARABIC, PERSIAN, HEBREW, HINDI, KOREAN,
];

static STOP_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    LATIN
        .into_iter()
        .chain(OTHERS)
        .flat_map(str::split_whitespace)
        .map(super::fold::folded_word)
        .collect()
});

/// Characters that make up function words in Chinese and Japanese and no other word of two characters that anyone would
/// ask for: pronouns, particles, question words, copulas, endings.
const FUNCTION_CHARACTERS: &str = "的了是在吗呢吧啊呀么什哪谁怎这那我你您他她它们就都也和与及或而且但着把被让给对从为以于之其此并\
    很还又再不没有会能可要些个几请问\
    はがをにでともへのやかねよわだすぞさ";

/// Pairs that ask or bind: Chinese question words with content-like characters; Japanese copulas, verb endings and
/// question words; Korean endings.
const FUNCTION_PAIRS: &str = "哪里 哪儿 在哪 里的 多少 时候 么时 几点 为什 么样 样的 如何 何时 是哪 是谁 关于 以及 一个 一下 \
    です ます した して てい いる ある あり りま まし まし ませ せん でし しょ ょう なの のは どこ こに にあ なに 何で は何 何が 何を 何の 何か 何時 れは いつ から まで \
    それ これ あれ この その あの どの どう なぜ だれ って った ない いま いて れて れた なる なり られ ため たい たの るの うか すか \
    니다 습니 입니 합니 에서 으로 에게 까지 부터 나요 인가 가요 는지 어디 언제 무엇 누구 디에 이야 하나 있나 있는 까요 니까 습니까";

/// Words that ask for a kind when "of" follows ("what kind of boat"). Alone they mean something ("blood type").
const KINDS: [&str; 6] = ["kind", "kinds", "type", "types", "sort", "sorts"];
/// Words that ask for an amount after "how".
const AMOUNTS: [&str; 5] = ["many", "much", "long", "often", "old"];

static FUNCTION_CHARACTER_SET: LazyLock<HashSet<char>> =
    LazyLock::new(|| FUNCTION_CHARACTERS.chars().collect());
static FUNCTION_PAIR_SET: LazyLock<HashSet<(char, char)>> = LazyLock::new(|| {
    let pairs = FUNCTION_PAIRS
        .split_whitespace()
        .map(|pair| (pair.chars().next(), pair.chars().nth(1)));
    pairs
        .filter_map(|(first, second)| first.zip(second))
        .collect()
});

/// Whether a folded word says nothing in a question.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Whether two words in a row only ask: the first of "kind of" says nothing then.
pub fn asks_for_kind(first: &str, second: &str) -> bool {
    second == "of" && KINDS.contains(&first)
}

/// Whether two words in a row only ask: the second of "how many" says nothing then.
pub fn asks_for_amount(first: &str, second: &str) -> bool {
    first == "how" && AMOUNTS.contains(&second)
}

/// Whether a single Chinese or Japanese character says nothing in a question.
pub fn is_function_character(character: char) -> bool {
    FUNCTION_CHARACTER_SET.contains(&character)
}

/// Whether two neighbouring characters say nothing in a question.
pub fn is_function_pair(first: char, second: char) -> bool {
    (is_function_character(first) && is_function_character(second))
        || FUNCTION_PAIR_SET.contains(&(first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_of_many_languages_are_left_out() {
        let words = "what it dont or not warum etait donde con del perche nao waarom varfor gdzie bagaimana когда еще \
            що ποτε που اين متي كجاست איפה कहां 어디";
        for word in words.split_whitespace() {
            assert!(is_stop_word(word), "{word}");
        }
    }

    #[test]
    fn words_that_mean_something_elsewhere_are_kept() {
        let words = "die war man gift mit hat fur uber sur son pour ai ete meme mon sin dos para os eu mais dia ci vi io \
            mia van tot us may will net dir min din var dig ar pod ale ile su ben sen kim hem dan ada mes came علي";
        for word in words.split_whitespace() {
            assert!(!is_stop_word(word), "{word}");
        }
    }

    fn is_function(pair: &str) -> bool {
        let mut letters = pair.chars();
        is_function_pair(letters.next().unwrap(), letters.next().unwrap())
    }

    #[test]
    fn chinese_and_japanese_function_pairs_are_known() {
        for pair in ["什么", "哪里", "在哪", "です", "には", "어디"] {
            assert!(is_function(pair), "{pair}");
        }
        for pair in [
            "过敏", "三階", "地下", "上海", "大会", "会議", "さく", "寿し", "に다",
        ] {
            assert!(!is_function(pair), "{pair}");
        }
    }

    #[test]
    fn asking_for_a_kind_or_an_amount_takes_two_words() {
        assert!(asks_for_kind("kind", "of") && !asks_for_kind("kind", "man"));
        assert!(asks_for_amount("how", "many") && !asks_for_amount("so", "many"));
    }
}
