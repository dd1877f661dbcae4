const LONGEST = 400
const NAME = String.raw`[A-Za-z_$][\w$]*(?:\??\.[\w$]+)*`
/** What may stand behind an expression: the end of a statement or of an argument, and a comment. */
const END = String.raw`[,;:?)\\]*(?:\s+(?:#|\/\/).*)?$`

const INSIDE = String.raw`\w$\s'"=.,()+*%:\\/[\]-`

/** Values that programs compute. Passwords may have brackets in them too, but neither names nor texts within these. */
const EXPRESSION = new RegExp(
  [
    '(?:new|await|async|function|typeof|keyof)\\b',
    '(?:self|this|cls|process|os|sys)\\.[A-Za-z_]',
    String.raw`[A-Za-z_$]+(?:\.[A-Za-z_$]+)+(?:\(.*\))?[,;]?$`,
    `[A-Za-z_$<>|[\\]"' ]+(?:,[A-Za-z_$<>|[\\]"' ]+)*[,;]$`,
    String.raw`${NAME}\.${NAME};$`,
    String.raw`(?:Big)?(?:Uint|Int|Float)\d{1,2}(?:Clamped)?Array\b`,
    String.raw`\([^)]{0,200}\)\s=>\s`,
    // Calls.
    String.raw`[A-Za-z_$.]{3,}\(\)(?:[\s.]|${END})`,
    String.raw`[A-Za-z_$.]{3,}\([A-Za-z_$.]{3,}\)${END}`,
    String.raw`[a-z]{2,40}[A-Z][A-Za-z]{2,80}\(\d{1,6}\)${END}`,
    String.raw`[A-Za-z_$]{3,}[\w$.]*\((?=[A-Za-z_$"'][^)]*[\s,'"=.(])[${INSIDE}]*\)[\w.()'"]{0,40}${END}`,
    String.raw`${NAME}\([\w$.'", =]*,$`,
    String.raw`\([A-Za-z_$][\w$]*\.\w`,
    // What is taken out of others.
    String.raw`${NAME}\[(?:'[^']*'|"[^"]*"|-?\d{1,3}|[\w$.]*:[\w$.-]*|[A-Za-z_$][^\]]*)\]`,
    // What is put together.
    String.raw`${NAME}\s(?:\+|\|\||&&|\?\?)\s\S`,
    String.raw`${NAME}\s(?:or|and|if)\s(?:["']|None\b|[\w$.]*[_.[(])`,
    // What is compared.
    String.raw`${NAME}\s?[!=]==?\s?[\w$."'[\]]{1,60}\s(?:\?|\|\||&&)\s`,
    // Types, with defaults behind them.
    '(?:None|int|str|bytes|bool|float|string|number|boolean)(?:,|\\s?[|=])',
  ]
    .map((each) => `^(?:${each})`)
    .join('|'),
)

/** Whether what stands behind a name and `:` or `=` is an expression of a program, or begins one that goes on. */
export function isExpression(text: string): boolean {
  return text.length <= LONGEST ? EXPRESSION.test(text) || /[({[]$/.test(text) : false
}
