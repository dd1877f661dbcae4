import { expect, it } from 'vitest'
import { decodeParameter, redactText } from '../../../src/recording/redaction/redact-text.ts'

const HIDDEN = '%5Bredacted%5D'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxwRJ-SMeKK_F2QT4'

it.for([
  ['see https://ann:s3cret@host/a', `see https://${HIDDEN}:${HIDDEN}@host/a`],
  ['//s3cret@host/', `//${HIDDEN}@host/`],
  ['//ann:p@ss@host/', `//${HIDDEN}:${HIDDEN}@host/`],
  ['</next?page=2&access_token=s3cret>; rel="next"', `</next?page=2&access_token=${HIDDEN}>; rel="next"`],
  ['/a;jsessionid=s3cret&x=1', `/a;jsessionid=${HIDDEN}&x=1`],
  ['/cb#access_token=s3cret&token_type=bearer', `/cb#access_token=${HIDDEN}&token_type=bearer`],
  ['href="/a?x=1&amp;token=s3cret"', `href="/a?x=1&amp;token=${HIDDEN}"`],
  ['/go?to=https://b/?api%5Fkey=s3cret', `/go?to=https://b/?api%5Fkey=${HIDDEN}`],
  [
    '/go?to=https%3A%2F%2Fb%2F%3Ftoken%3Ds3cret%26x%3D1',
    `/go?to=https%3A%2F%2Fb%2F%3Ftoken%3D${HIDDEN}%26x%3D1`,
  ],
  ['/a?token=s3cret?sig=again', `/a?token=${HIDDEN}`],
  [`the token ${JWT}.`, 'the token [redacted].'],
])('hides the secrets in %s', ([text = '', expected]) => {
  expect(redactText(text)).toBe(expected)
})

it.for([
  ['https://medium.com/@ann?page=2&keyword=x#top'],
  ['mail ann@example.com // note'],
  ['/a?page_token=abc&token='],
  ['keyJa.b.c'],
])('leaves %s as it is', ([text = '']) => {
  expect(redactText(text)).toBe(text)
})

it('leaves a parameter that is not percent-encoded right as it is', () => {
  expect(decodeParameter('100%')).toBe('100%')
  expect(decodeParameter('a+b%20c')).toBe('a b c')
})
