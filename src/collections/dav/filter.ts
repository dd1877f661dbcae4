import { elementsIn, localName, textIn, type XmlElement } from '../../shape/xml-tree.ts'
import { type Component, readComponents, spanOf, timeOfText } from './components.ts'

/**
 * Whether a file is one that a query asks for: by its components, their times, their properties and the texts in these
 * (RFC 4791, section 9.7; RFC 6352, section 10.5).
 * @param query the root of the request's body
 */
export function fitsQuery(query: XmlElement, content: string): boolean {
  const filter = elementsIn(query).find(({ name }) => localName(name) === 'filter')
  if (filter === undefined) return true
  const found = readComponents(content) ?? []
  const parts = elementsIn(filter)
  return parts.every(({ name }) => localName(name) === 'comp-filter')
    ? parts.every((part) => fitsComponent(part, found))
    : found.some((component) => fitsParts(filter, component))
}

function fitsComponent(filter: XmlElement, components: readonly Component[]): boolean {
  const own = components.filter(({ name }) => name === (filter.attributes['name'] ?? '').toUpperCase())
  if (isNotDefined(filter)) return own.length === 0
  return own.some((component) => fitsParts(filter, component))
}

function fitsParts(filter: XmlElement, component: Component): boolean {
  const parts = elementsIn(filter)
  const isAny = filter.attributes['test'] === 'anyof' || localName(filter.name) === 'filter'
  const fits = (part: XmlElement): boolean => {
    switch (localName(part.name)) {
      case 'comp-filter':
        return fitsComponent(part, component.components)
      case 'time-range':
        return overlaps(part, component)
      case 'prop-filter':
        return fitsProperty(part, component)
      default:
        return true
    }
  }
  const isOneOf = isAny && filter.attributes['test'] !== 'allof' && parts.length > 0
  return isOneOf ? parts.some(fits) : parts.every(fits)
}

function overlaps({ attributes }: XmlElement, component: Component): boolean {
  const span = spanOf(component)
  if (span === undefined) return component.name === 'VTODO'
  const [start, end] = span
  const from = timeOfText(attributes['start'] ?? '') ?? -Infinity
  const to = timeOfText(attributes['end'] ?? '') ?? Infinity
  return start < to && (end > from || (start === end && start >= from))
}

function fitsProperty(filter: XmlElement, { properties }: Component): boolean {
  const wanted = (filter.attributes['name'] ?? '').toUpperCase()
  const own = properties.filter(({ name }) => name.replace(/^.*\./, '') === wanted)
  if (isNotDefined(filter)) return own.length === 0
  const matches = elementsIn(filter).filter(({ name }) => localName(name) === 'text-match')
  if (matches.length === 0) return own.length > 0
  const isAll = filter.attributes['test'] === 'allof'
  const fits = (match: XmlElement): boolean => own.some(({ value }) => fitsText(match, value))
  return isAll ? matches.every(fits) : matches.some(fits)
}

function fitsText(match: XmlElement, value: string): boolean {
  const [text, wanted] = [value.toLowerCase(), textIn(match).toLowerCase()]
  const type = match.attributes['match-type']
  const negates = match.attributes['negate-condition'] === 'yes'
  if (type === 'equals') return (text === wanted) !== negates
  if (type === 'starts-with') return text.startsWith(wanted) !== negates
  if (type === 'ends-with') return text.endsWith(wanted) !== negates
  return text.includes(wanted) !== negates
}

function isNotDefined(filter: XmlElement): boolean {
  return elementsIn(filter).some(({ name }) => localName(name) === 'is-not-defined')
}
