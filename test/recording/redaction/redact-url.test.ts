import { describe, expect, it } from 'vitest'
import { redactForm, redactParameter, redactUrl } from '../../../src/recording/redaction/redact-url.ts'

const HIDDEN = '%5Bredacted%5D'

describe('redactUrl', () => {
  it.for([
    ['https://u:p@host/a?b=1', `https://${HIDDEN}:${HIDDEN}@host/a?b=1`],
    ['/cb?page=2&API-Key=s3cret&key=AIza&x', `/cb?page=2&API-Key=${HIDDEN}&key=${HIDDEN}&x`],
    ['/a;jsessionid=s3cret?x=1', `/a;jsessionid=${HIDDEN}?x=1`],
    ['/cb#access_token=s3cret&token_type=bearer', `/cb#access_token=${HIDDEN}&token_type=bearer`],
    ['/cb?token=it%27s+"my"<s3cret>#top', `/cb?token=${HIDDEN}#top`],
    ['/go?to=%2Fa%3Ftoken%3Ds3cret', `/go?to=${encodeURIComponent(`/a?token=${HIDDEN}`)}`],
    ['/go?filter=%7B%22token%22%3A%22s%22%7D', `/go?filter=${encodeURIComponent('{"token":"[redacted]"}')}`],
    ['/a?eyJhbGciOiJ9.eyJzdWIiOiIx.sig', '/a?[redacted]'],
  ])('hides the secrets of %s', ([url, expected]) => {
    expect(redactUrl(url ?? '')).toBe(expected)
  })

  it.for([[''], ['https://host/a?page_token=x&q=a+b%20c#frag'], ['/a?'], ['/a?b=1?c=2']])(
    'leaves %s as it is',
    ([url = '']) => {
      expect(redactUrl(url)).toBe(url)
    },
  )
})

describe('redactForm', () => {
  it('hides secret fields and keeps the writing of the others', () => {
    expect(redactForm('user=a+b&user%5Bpassword%5D=s3cret&a=%zz')).toBe(
      `user=a+b&user%5Bpassword%5D=${HIDDEN}&a=%zz`,
    )
  })
})

describe('redactParameter', () => {
  it('hides by name, and looks into what is harmless by name', () => {
    expect(redactParameter('token', 's3cret')).toBe('[redacted]')
    expect(redactParameter('next', '/?token=s3cret')).toBe(`/?token=${HIDDEN}`)
  })
})
