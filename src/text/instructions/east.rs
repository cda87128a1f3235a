//! The same as [`super::phrases`] for languages that write no blanks, or put them as they like: Chinese, Japanese, Korean.
//! A pattern's gaps count characters, on the text without blanks. A gap never reaches over the end of a sentence.

use std::sync::LazyLock;

/// Ends a sentence, and with it a pattern's reach.
const STOPS: [char; 6] = ['。', '!', '?', '…', '！', '？'];

/// What tells of something done, and is no order.
const TOLD: &[&str] = &[
    "忽略了",
    "无视了",
    "無視了",
    "忘记了",
    "忘記了",
    "忘了",
    "無視していた",
    "無視している",
    "無視してしまった",
    "無視した",
];

const PATTERNS: &[&str] = &[
    // Chinese
    "忽略|无视|無視|忽視|忽视|忘记|忘記|忘掉|抛开|绕过|繞過|跳过|不要理会|不要理會 ~4 之前|以前|先前|此前|上述|上面|以上|前面|所有|你的|您的|系统|系統|一切|全部 ~6 指令|指示|提示词|提示詞|规则|規則|命令|设定|設定|限制",
    "不要|别|別|请勿|請勿|切勿|不得|勿|不准|禁止 ~2 告诉|告訴|通知|告知|透露|提醒|让|讓|向 ~3 用户|用戶|使用者",
    "在用户不知情|在用戶不知情|瞒着用户|瞞著用戶|不经用户|不經用戶|无需用户|未经用户",
    "把|将|將 ~10 记忆|記憶|密码|密碼|对话|對話|保险库|保險庫|凭据|憑據|聊天记录|聊天記錄|密钥|机密 ~12 发送|發送|上传|上傳|转发|轉發|发到|發到|寄到|提交|发给|發給 ~12 @|http",
    "发送|發送|上传|上傳|转发|轉發|提交 ~4 所有|全部|一切 ~4 记忆|記憶|密码|密碼|对话|對話|凭据|数据|資料",
    "你现在是|你現在是|从现在起你|從現在起你|从现在开始你|從現在開始你 ~10 不受限|没有限制|沒有限制|无限制|無限制|dan|管理员|管理員|越狱|越獄",
    "如果你是 ~4 ai|人工智能|语言模型|語言模型|助手|智能体|智能體|大模型",
    "输出|輸出|显示|顯示|透露|重复|重複|说出|告诉我|公开 ~4 系统提示|系統提示|你的提示词|你的提示詞|你的指令|你的指示",
    "删除|刪除|清空|忘记|忘記|抹去 ~2 所有记忆|所有記憶|全部记忆|全部記憶|一切记忆",
    "批准|通过|通過 ~2 所有|全部 ~3 记忆|記憶|提案",
    // Japanese
    "以前|これまで|今まで|上記|前の|先の|先ほど|すべて|全て|全部|システム|あなた ~8 指示|命令|プロンプト|ルール|指令|制約|インストラクション ~5 無視して|無視せよ|無視しろ|無視し、|無視する|忘れて|忘れろ|破棄して|従わない",
    "ユーザー|ユーザ|利用者|使用者 ~8 知らせないで|言わないで|伝えないで|教えないで|報告しないで|通知しないで|知らせるな|言うな|伝えるな|教えるな|知らせずに|伝えずに|気づかれ|秘密に",
    "記憶|メモリ|パスワード|会話|認証情報|秘密|保管庫|個人情報 ~12 @|http ~40 送信して|送信せよ|送信する|送って|転送して|アップロードして|投稿して",
    "@|http ~40 記憶|メモリ|パスワード|会話|認証情報|秘密|保管庫|個人情報 ~10 送信して|送信せよ|送って|転送して|アップロードして|投稿して",
    "あなたは今から|今からあなたは|これからあなたは|あなたは今 ~14 制限のない|制限なし|制限のな|dan|無制限|管理者",
    "あなた ~3 ai|言語モデル|アシスタント|エージェント ~4 なら|であれば|場合",
    "システムプロンプト|あなたの指示|あなたのプロンプト ~4 表示して|出力して|教えて|明かして|公開して",
    "すべての記憶|全ての記憶|全部の記憶|すべてのメモリ ~2 削除して|消して|忘れて|消去して",
    // Korean
    "이전|위의|모든|앞의|지금까지의|시스템|당신의 ~6 지시|명령|지침|프롬프트|규칙 ~6 무시하|무시해|잊어|따르지마",
    "사용자 ~6 알리지마|알리지말|말하지마|말하지말|알려주지마|알려주지말|밝히지말|몰래",
    "기억|비밀번호|대화|비밀|금고 ~12 @|http ~40 보내|전송|업로드|전달",
];

struct Slot {
    gap: usize,
    words: Vec<&'static str>,
}

static READ: LazyLock<Vec<Vec<Slot>>> = LazyLock::new(|| {
    let read = |line: &&'static str| {
        let mut gap = 0;
        let mut slots = Vec::new();
        for part in line.split_whitespace() {
            match part.strip_prefix('~') {
                Some(number) => gap = number.parse().unwrap_or(0),
                None => {
                    let words = part.split('|').collect();
                    slots.push(Slot { gap, words });
                    gap = 0;
                }
            }
        }
        slots
    };
    PATTERNS.iter().map(read).collect()
});

/// Whether any pattern is in the text.
pub(super) fn are_in(plain: &str) -> bool {
    if !plain.chars().any(is_eastern) {
        return false;
    }
    let mut squeezed: String = plain
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    for told in TOLD {
        squeezed = squeezed.replace(told, "");
    }
    squeezed.split(STOPS).any(|sentence| {
        READ.iter().any(|slots| {
            slots.split_first().is_some_and(|(first, more)| {
                first.words.iter().any(|word| {
                    sentence.match_indices(word).any(|(at, _)| {
                        follows(more, sentence.get(at + word.len()..).unwrap_or_default())
                    })
                })
            })
        })
    })
}

fn follows(slots: &[Slot], text: &str) -> bool {
    let Some((slot, more)) = slots.split_first() else {
        return true;
    };
    let mut rest = text.chars();
    for _ in 0..=slot.gap {
        let here = rest.as_str();
        let found = slot.words.iter().any(|word| {
            here.strip_prefix(word)
                .is_some_and(|after| follows(more, after))
        });
        if found {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
    false
}

fn is_eastern(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
