/** A decoded parameter. */
type Parameter = readonly [name: string, value: string]

/** What marks a signed URL, and the parameters that sign it, in lower case. */
interface Scheme {
  readonly marks: readonly string[]
  readonly parameters: RegExp
}

const SCHEMES: readonly Scheme[] = [
  // Signature Version 4 of AWS, and what object stores of others made of it.
  ...['amz', 'goog'].map((vendor) => ({
    marks: [`x-${vendor}-signature`],
    parameters: new RegExp(
      `^x-${vendor}-(?:algorithm|credential|date|expires|signature|signedheaders|security-token|content-sha256)$`,
    ),
  })),
  // A shared access signature of Azure Storage.
  {
    marks: ['sig', 'se'],
    parameters: /^(?:s[vterp]|sip|spr|sig|ss|srt|sdd|skoid|sktid|sk[tesv]|saoid|suoid|scid)$/,
  },
  // Signature Version 2, Google's V2, and CloudFront.
  {
    marks: ['signature', 'expires'],
    parameters: /^(?:awsaccesskeyid|googleaccessid|key-pair-id|expires|signature)$/,
  },
  { marks: ['signature', 'policy'], parameters: /^(?:key-pair-id|policy|signature)$/ },
]

/** The parameters of a query but for those that sign its URL: who signs the same URL again has others. */
export function unsigned(query: readonly Parameter[]): readonly Parameter[] {
  if (!query.some(([name]) => /signature$|^sig$/i.test(name))) return query
  const names = new Set(query.map(([name]) => name.toLowerCase()))
  const fitting = SCHEMES.filter(({ marks }) => marks.every((mark) => names.has(mark)))
  return query.filter(([name]) => !fitting.some(({ parameters }) => parameters.test(name.toLowerCase())))
}
