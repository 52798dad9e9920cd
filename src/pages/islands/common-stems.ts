/**
 * Stems of the most common passwords, longest first. The list caps the displayed strength only; the service compares a
 * new password with its own list (`SERVICE_PASSWORD_CHECK`).
 */
const STEMS = (
  "administrator 1234567890 qwertyuiop qwertzuiop willkommen 123456789 asdfghjkl barcelona butterfly liverpool " +
  "baseball changeme computer corvette facebook football iloveyou internet jennifer juventus mercedes passw0rd " +
  "password passwort princess starwars sunshine superman trustno1 whatever anthony arsenal blessed charlie " +
  "chelsea default diamond ferrari forever freedom jessica letmein matthew michael mustang pokemon porsche " +
  "samsung welcome william zxcvbnm 123456 abcdef access amanda andrew asdfgh ashley autumn azerty bailey banana " +
  "batman buster cheese cookie daniel dragon family flower geheim george ginger golden google hockey hunter " +
  "jordan joshua killer lovely master monkey naruto nicole orange pepper purple qazwsx qwerty qwertz ranger " +
  "robert schatz secret shadow silver snoopy soccer sommer spring summer thomas tigger winter yellow zxcvbn admin " +
  "angel guest hallo hello jesus login "
)
  .trim()
  .split(" ");

/** Digits and signs that users write in place of letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "@": "a",
  $: "s",
};

/** At least this share of a password comes from the stem: a stem within a long phrase is no weakness. */
const SHARE_MIN = 0.5;

/** The common stem that makes up most of a password; undefined without such a stem. */
export function commonStemIn(password: string): string | undefined {
  const lower = password.toLowerCase();
  const letters = lower.replace(/[01345@$]/g, (sign) => LOOKALIKES[sign] ?? sign);
  return STEMS.find((stem) => shareOf(stem, lower) >= SHARE_MIN || shareOf(stem, letters) >= SHARE_MIN);
}

function shareOf(stem: string, text: string): number {
  const occurrences = text.split(stem).length - 1;
  return (occurrences * stem.length) / Math.max(1, text.length);
}
