/** What guessers try first, in lower case; the shorter ones are too short anyway. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 0123456789 987654321 9876543210 87654321 11223344 1122334455 123123123 12341234
  123412345 147258369 741852963 159753456 qwertyui qwertyuio qwertyuiop qwerty123 qwerty1234 qwerty12345 1q2w3e4r
  1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 zaq12wsx asdfghjk asdfghjkl zxcvbnm1 zxcvbnm123 qazwsxedc
  azertyui azertyuiop qwertz123 password password1 password12 password123 password1234 password! password1! passw0rd
  p@ssword p@ssw0rd p@ssword1 p@ssw0rd1 pa$$word passwort passwort1 motdepasse contraseña senha123 parola123 parolamea
  iloveyou iloveyou1 iloveyou2 ilovegod sunshine sunshine1 princess princess1 football football1 baseball baseball1
  basketball superman superman1 spiderman batman123 starwars trustno1 letmein1 letmein123 welcome1 welcome123 whatever
  computer internet samsung1 michelle jennifer jonathan danielle charlie1 jordan23 michael1 liverpool liverpool1
  chelsea1 arsenal1 barcelona realmadrid manchester alexander elizabeth christian nicholas victoria samantha
  butterfly chocolate strawberry snowball midnight sunflower diamond1 corvette mercedes scorpion dolphins tinkerbell
  pokemon1 minecraft minecraft1 fortnite asdf1234 asdfasdf abcd1234 abc12345 abc123456 abcdefgh abcdefghi a1b2c3d4
  a1234567 a12345678 aa123456 aa12345678 asd123456 qwe123456 1234qwer 12qwaszx admin123 admin1234 administrator
  changeme changeme1 changeme123 default1 guest123 test1234 testtest testing1 testing123 secret123 mypassword
  dragon123 monkey123 shadow123 master123 killer123 hello123 hellohello freedom1 blink182 access14 bowerbird
  bowerbird1 bowerbird123 woaini1314 5201314520 woaini520`.split(/\s+/),
);
