#include "text/language.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::test {
namespace {

using text::guess_language;

struct Written {
  const char *language, *script, *text;
};

TEST(Language, IsGuessedFromFunctionWordsOrScript) {
  const Written texts[] = {
      {"en", "Latin",
       "The committee said that it would not be able to answer the questions of the members before the end of the "
       "week."},
      {"de", "Latin",
       "Der Ausschuss teilte mit, dass er die Fragen der Mitglieder nicht vor dem Ende der Woche beantworten kann."},
      {"fr", "Latin",
       "Le comité a déclaré qu'il ne pourrait pas répondre aux questions des membres avant la fin de la semaine."},
      {"es", "Latin",
       "El comité dijo que no podrá responder a las preguntas de los miembros antes del final de la semana."},
      {"it", "Latin",
       "Il comitato ha detto che non potrà rispondere alle domande dei membri prima della fine della settimana."},
      {"nl", "Latin",
       "Het comité zei dat het de vragen van de leden niet voor het einde van de week kan beantwoorden."},
      {"pl", "Latin",
       "Komitet powiedział, że nie odpowie na pytania członków przed końcem tygodnia, ale to jest możliwe do zrobienia "
       "po nim."},
      {"ru", "Cyrillic",
       "Комитет заявил, что он не сможет ответить на вопросы членов до конца недели, но это не так важно."},
      {"el", "Greek", "Η επιτροπή δήλωσε ότι δεν θα μπορέσει να απαντήσει"},
      {"zh", "Han", "委员会表示无法在本周结束之前回答成员的问题"},
      {"ja", "Han", "委員会は今週末までに会員の質問に答えることができないと述べた"},
      {"ko", "Hangul", "위원회는 이번 주말까지 회원들의 질문에 답할 수 없다고 밝혔다"},
      {"th", "Thai", "คณะกรรมการกล่าวว่าจะไม่สามารถตอบคำถามของสมาชิกได้"},
      {"ar", "Arabic", "قالت اللجنة إنها لن تتمكن من الإجابة على أسئلة الأعضاء"},
      {"he", "Hebrew", "הוועדה אמרה שלא תוכל לענות על שאלות החברים"},
  };
  for (const Written& written : texts) {
    const auto guess = guess_language(written.text);
    EXPECT_EQ(guess.language, written.language) << written.text;
    const bool is_mixed = std::string(written.language) == "ja";
    EXPECT_TRUE(is_mixed || guess.script == written.script) << written.text;
  }
}

TEST(Language, IsUnknownRatherThanGuessed) {
  EXPECT_EQ(guess_language("").script, "");
  EXPECT_EQ(guess_language("12345 --- 67").script, "");
  EXPECT_EQ(guess_language("react-router-dom").language, "");
  EXPECT_EQ(guess_language("the end").language, "");
  EXPECT_EQ(
      guess_language("lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt").language,
      "");
  EXPECT_EQ(guess_language("int main() { return foo(bar, baz) + qux[17]; } struct Point { double x, y, z; };").language,
            "");
  EXPECT_EQ(guess_language("react-router-dom").script, "Latin");
}

TEST(Language, HasAName) {
  EXPECT_EQ(text::language_name("de"), "German");
  EXPECT_EQ(text::language_name("xx"), "xx");
}

}  // namespace
}  // namespace neardup::test
