import { createRequire } from 'node:module'
import type { XMLParser } from 'fast-xml-parser'
import { InputInvalid } from '../../errors.ts'
import { lazy } from '../../engine/lazy.ts'

/** What reads and writes XML; few apps ever see a document of it. */
export const xml = lazy(
  () => createRequire(import.meta.url)('fast-xml-parser') as typeof import('fast-xml-parser'),
)

/** What stands before the name of an attribute among an element's children. */
export const ATTRIBUTE = '@'
/** The name of an element's text where it has attributes or children too. */
export const TEXT = '#text'

/**
 * The root of an XML document: a text, or its children and attributes by name, without their prefixes.
 * @throws InputInvalid when it is not well-formed, declares a document type, or nests deeper than 100 elements
 */
export function parseXml(text: string): unknown {
  const invalid = (msg: string): InputInvalid =>
    new InputInvalid([{ type: 'xml_invalid', loc: ['body'], msg, input: text.slice(0, 200) }])
  // Entities of its own are how a small document becomes a huge one.
  if (/<!DOCTYPE/i.test(text)) throw invalid('XML with a document type declaration is not read')
  const verdict = xml().XMLValidator.validate(text)
  if (verdict !== true) throw invalid(`${verdict.err.msg} (line ${verdict.err.line})`)
  try {
    const roots = Object.values(createParser().parse(text) as Record<string, unknown>)
    if (roots.length === 1 && !Array.isArray(roots[0])) return roots[0]
  } catch (error) {
    throw invalid((error as Error).message)
  }
  throw invalid('XML has one root element')
}

function createParser(): XMLParser {
  return new (xml().XMLParser)({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
    maxNestedTags: 100,
  })
}
