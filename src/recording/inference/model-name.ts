import { singular } from './parameter-names.ts'

/** What the model of a path's answer is called: `/api/order-items/{id}` gives `OrderItem`. */
export function modelName(path: string): string {
  const literal = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? 'root'
  const words = singular(literal).split('_').filter(Boolean)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Model${name}`
}
