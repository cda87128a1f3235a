//! Words that say nothing about what is asked. Left out of questions only; texts keep them.
//!
//! One list for all languages: a word is in it if it is a function word in one of them and no common content word in
//! another (German "war" and "die", English "gift" and "person" are out or in accordingly).

/// Function words, folded as terms are.
const WORDS: &str = "\
a about above after again against all am an and any are as at be because been before being below between both but by can \
cannot could did do does doing down during each few for from further had has have having he her here hers herself him himself \
his how i if in into is it its itself just let me more most my myself no nor not now of off on once only or other ought our \
ours ourselves out over own same shall she should so some such than that the their theirs them themselves then there these \
they this those through to too under until up upon us very was we were what when where which while who whom whose why will \
with would you your yours yourself yourselves dont doesnt didnt isnt arent wasnt werent wont cant im ive id whats thats \
der das dem den des ein eine einen einem einer eines und oder aber nicht ist sind wurde wird werden mit von vom zum zur \
auf aus bei nach fur uber unter wie wo wann warum wer wen wem welche welcher welches ich du er sie es wir ihr mich dich \
mein meine sein seine auch noch nur schon sich im am \
le la les un une et ou mais pas ne est sont etait avec sans dans sur sous de du des au aux en par pour que qui quoi dont \
quand comment pourquoi je tu il elle nous vous ils elles mon ma mes ton ta tes ses ce cet cette ces se \
el los las unos unas y o pero es son fue con sin sobre del al por para como cuando donde cual quien yo tu ella nosotros \
mi mis su sus se lo me te que en \
gli uno e ma non sono era di da nel nella con su per tra fra che chi cosa quando dove perche io lui lei noi voi loro mio \
os as um uma nao sao foi em no na nos nas por para com como quando onde quem eu ele ela meu minha seu sua \
het een en of maar niet zijn werd met van voor op onder bij naar als hoe waar wanneer waarom wie wat ik jij hij zij wij jullie mijn \
och eller men inte ar var med av pa till fran hur nar varfor vem vad jag du han hon vi ni de min mitt \
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по от из о где когда кто почему это для мы их \
yang dan di ke dari untuk dengan pada adalah itu ini apa siapa kapan dimana mengapa bagaimana saya kamu dia kami kita mereka \
ve bir bu da ile icin ne nasil nerede kim mi mu \
的 了 是 在 吗 呢 吧 我 你 他 她 它 和 与 也 都 就 有 什么 怎么 哪里 哪儿 为什么 谁 多少 几 \
の は が を に で と も か です ます 何 どこ いつ 誰 なぜ \
은 는 이 가 을 를 에 의 와 과 어디 언제 누가 무엇 왜";

/// Pairs that occur in every Chinese or Japanese question.
const PAIRS: &str = "\
什么 么时 怎么 么样 哪里 哪儿 在哪 是什 多少 为什 吗的 的是 是在 是不 不是 有没 没有 我的 你的 他的 的吗 了吗 \
です ます ます ましょ した ですか すか ますか はど どこ こで はい いつ つで なに 何で 何を はな";

/// Whether a folded term is one of them.
pub fn is_stop_word(term: &str) -> bool {
    use std::collections::HashSet;
    use std::sync::OnceLock;
    static ALL: OnceLock<HashSet<&'static str>> = OnceLock::new();
    ALL.get_or_init(|| {
        WORDS
            .split_whitespace()
            .chain(PAIRS.split_whitespace())
            .collect()
    })
    .contains(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_are_stop_words_and_names_are_not() {
        for word in ["the", "what", "nicht", "的", "です"] {
            assert!(is_stop_word(word), "{word}");
        }
        for word in ["pump", "die", "war", "过敏", "may", "ada"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
