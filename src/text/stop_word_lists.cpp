#include <array>

#include "text/stop_words.h"

namespace neardup::text {
namespace {

constexpr std::array<StopWordList, 12> kLists{{
    {"en", "english", R"(
      a an the this that these those some any each every no none such same other another both all most few more
      many much
      i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
      myself yourself himself herself itself ourselves yourselves themselves who whom whose which what
      and or but nor so yet if then else than because as while when where why how whether though although until
      unless since
      of at by for with about against between into through during before after above below to from up down in
      out on off
      over under again further upon within without among per via
      am is are was were be been being have has had having do does did doing will would shall should can could
      may might must
      not only own too very just also here there now once ever
      s t d ll m re ve don didn doesn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn ain
    )"},
    {"de", "german", R"(
      der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
      dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem alle allem
      allen aller alles
      ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner
      er ihn ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser
      unsere unseren
      euch euer eure ihnen sich man wer wen wem was welcher welche welches welchen welchem
      und oder aber denn sondern doch wenn als ob dass weil damit da so wie also auch nur noch schon
      in im ins an am ans auf aus bei beim bis durch für gegen hinter mit nach neben ohne über um unter von vom
      vor zu zum zur
      zwischen während wegen seit
      bin bist ist sind seid war waren warst gewesen sei wäre habe hast hat haben hatte hatten gehabt werde
      wirst wird werden
      wurde wurden worden geworden kann kannst können könnte konnte muss müssen musste soll sollen sollte will
      wollen wollte
      darf dürfen mag mögen möchte
      nicht nichts sehr hier dort dann nun jetzt mehr wieder
    )"},
    {"fr", "french", R"(
      le la les l un une des du de d au aux ce cet cette ces c mon ma mes ton ta tes son sa ses notre nos votre
      vos leur leurs
      je j me m moi tu te t toi il elle on se s soi nous vous ils elles lui eux y en qui que qu quoi dont où
      quel quelle quels
      quelles lequel laquelle lesquels lesquelles celui celle ceux celles ceci cela ça
      et ou mais donc or ni car si comme quand lorsque lorsqu puisque puisqu parce afin ainsi alors aussi
      à dans par pour sur sous avec sans chez vers entre contre depuis pendant avant après devant derrière
      jusque jusqu dès
      suis es est sommes êtes sont étais était étions étiez étaient serai sera seront serait seraient été étant être
      ai as a avons avez ont avais avait avions aviez avaient aura auront aurait auraient eu ayant avoir
      fait faire peut peuvent pouvait doit doivent
      ne n pas plus moins très trop peu même mêmes tout toute tous toutes autre autres aucun aucune encore déjà ici là
    )"},
    {"es", "spanish", R"(
      el la los las lo un una unos unas al del este esta esto estos estas ese esa eso esos esas aquel aquella
      aquello aquellos
      aquellas mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras suyo
      suya suyos suyas
      yo me mí tú te ti él ella ello ellos ellas se sí nosotros nosotras nos vosotros vosotras os usted ustedes le les
      que qué quien quién quienes cual cuál cuales cuyo cuya donde dónde cuando cuándo como cómo
      y e o u pero sino ni si porque pues aunque mientras entonces así también tampoco
      a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras
      soy eres es somos son era eras éramos eran fui fue fueron será serán sería sido siendo ser
      estoy está están estaba estaban estuvo estado estar he has ha hemos han había habían hubo habrá habría haber hay
      tengo tiene tienen tenía tener puede pueden podía
      no ya muy más menos mucho mucha muchos muchas poco pocos todo toda todos todas otro otra otros otras cada
      mismo misma
    )"},
    {"it", "italian", R"(
      il lo la i gli le l un uno una questo questa questi queste quello quella quelli quelle quel quei
      del dello della dei degli delle dell al allo alla ai agli alle all dal dallo dalla dai dagli dalle dall
      nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col coi
      mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro
      io me mi tu te ti egli lui lei esso essa noi ci voi vi essi esse si sé ne chi che cui quale quali dove
      quando come
      e ed o oppure ma però né se perché anche quindi così mentre dunque
      a ad da di d in con su per tra fra senza sotto sopra verso contro dopo prima durante
      sono sei è siamo siete era eri eravamo erano fu furono sarà saranno sarebbe stato stata stati state essere
      ho hai ha abbiamo avete hanno avevo aveva avevano ebbe avrà avrebbe avuto avere può possono deve devono
      non più meno molto molta molti molte poco tutto tutta tutti tutte altro altra altri altre ogni già ancora qui
    )"},
    {"pt", "portuguese", R"(
      o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa pelo pela pelos pelas dum duma
      este esta isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles aquelas deste desta
      disto nesse nessa
      neste nesta meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas
      eu me mim tu te ti você vocês ele ela eles elas se si lhe lhes nós vós vos que quem qual quais cujo cuja
      onde quando como
      e ou mas nem porém porque pois embora enquanto então assim também
      de em para por com sem sob sobre entre até desde contra após durante ante perante
      sou és é somos são era eram fui foi foram será serão seria sido sendo ser estou está estão estava estavam
      esteve estar
      tenho tem temos têm tinha tinham teve terá teria tido ter há havia haver pode podem podia deve
      não já mais menos muito muita muitos muitas pouco todo toda todos todas outro outra outros outras cada
      mesmo mesma só
    )"},
    {"nl", "dutch", R"(
      de het een der den des dit dat deze die elk elke ieder iedere geen alle alles andere ander
      ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar hun hen wij we ons onze jullie zich wie wat
      welke welk
      en of maar want dus als toen dan omdat doordat terwijl hoewel indien zodat ook nog al
      in op aan bij met van voor door over naar om uit tot te ten ter tegen tussen onder na sinds zonder binnen
      buiten volgens
      achter boven per via tijdens
      ben bent is was waren geweest wezen heb hebt heeft hebben had hadden gehad word wordt worden werd werden
      geworden
      zal zult zullen zou zouden kan kunt kunnen kon konden moet moeten moest mag mogen mocht wil willen wilde
      doen doet deed
      niet niets er hier daar waar wanneer hoe waarom zo zeer veel meer meest minder weer reeds iets iemand toch
      nu men wel
    )"},
    {"sv", "swedish", R"(
      en ett den det de denna detta dessa sådan sådant sådana någon något några ingen inget inga varje all allt
      alla annan
      annat andra samma
      jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes vi oss vår vårt våra ni er ert
      era dem
      deras sig sin sitt sina man vem vad vilken vilket vilka vars som
      och eller men utan för så om när där då att eftersom medan fast än både varken
      i på av till från med vid mot under över efter före genom mellan hos ur kring åt inom utom
      är var vara varit har hade haft blir blev bli blivit bliver ska skall skulle kan kunde kunna måste vill
      ville får fick
      inte ej också bara mycket mer mest här nu redan sedan hur varför
    )"},
    {"da", "danish", R"(
      en et den det de denne dette disse sådan nogen noget nogle ingen intet hver al alt alle anden andet andre samme
      jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes vi os vor vores vort vore i jer
      jeres dem deres
      sig sin sit sine man hvem hvad hvilken hvilket hvilke hvis som der
      og eller men for så om når hvor da at fordi mens end både hverken
      på af til fra med ved mod under over efter før gennem mellem hos ud op ned ind uden inden
      er var være været har havde haft have bliver blev blive blevet skal skulle kan kunne må måtte vil ville får fik
      ikke også bare kun meget mere mest her nu allerede siden hvordan hvorfor jo
    )"},
    {"no", "norwegian", R"(
      en ei et den det de denne dette disse slik noen noe ingen intet ikkje hver alle alt all annen annet andre samme
      jeg eg meg min mi mitt mine du deg din di ditt dine han ham hans hun hennes henne ho vi oss vår vårt våre
      dere deres dem
      seg sin si sitt sine man hvem hva hvilken hvilket hvilke som
      og eller men for så om når hvor da at fordi mens enn både verken
      i på av til fra med ved mot under over etter før gjennom mellom hos ut opp ned inn uten innen
      er var være vært har hadde hatt ha blir ble bli blitt skal skulle kan kunne må måtte vil ville får fikk
      ikke også bare kun meget mye mer mest her der nå allerede siden hvordan hvorfor jo
    )"},
    {"fi", "finnish", R"(
      minä minun minua minulla minulle sinä sinun sinua sinulla sinulle hän hänen häntä hänellä hänelle
      me meidän meitä meillä meille te teidän teitä teillä teille he heidän heitä heillä heille
      tämä tämän tätä tässä tästä tähän tällä tälle nämä näiden näitä näissä tuo tuon tuota nuo noiden
      se sen sitä siinä siitä siihen sillä sille ne niiden niitä niissä niistä niihin niillä niille
      kuka kenen ketä mikä minkä mitä missä mistä mihin joka jonka jota jossa josta johon jolla jolle jotka
      joiden joita joissa
      ja tai vai mutta eli että jos kun koska kuin vaikka jotta sekä myös niin
      olen olet on olemme olette ovat oli olivat ollut olleet olla ole oleva olisi olisivat
      en et ei emme ette eivät ettei voi voivat voisi täytyy pitää saa
      kanssa ilman ennen jälkeen alla päällä välillä mukaan kautta vasta vain jo vielä nyt sitten siis itse
      kaikki muu muut
    )"},
    {"ru", "russian", R"(
      я меня мне мной мы нас нам нами ты тебя тебе тобой вы вас вам вами он его ему им нем нём она её ее ей ней
      нею оно
      они их ими них ним нему него себя себе собой
      мой моя моё мое мои моего моей моих твой твоя твоё твое твои наш наша наше наши нашего нашей ваш ваша ваше
      ваши свой своя
      своё свое свои своего своей своих
      этот эта это эти этого этой этих этому этим тот та то те того той тех тому тем такой такая такое такие
      кто кого кому кем что чего чему чем который которая которое которые которого которой которых какой какая
      какое какие
      и а но или да либо если чтобы потому поэтому как когда где куда откуда пока хотя ли же бы б ни не нет
      в во на с со к ко по из изо от ото до у о об обо за для при про над под перед между через без после около
      был была было были быть будет будут буду есть может могут можно нужно надо
      весь вся всё все всего всей всех ещё еще уже только даже очень так там тут здесь тоже также более сам сама сами
    )"},
}};

}  // namespace

std::span<const StopWordList> stop_word_lists() { return kLists; }

}  // namespace neardup::text
