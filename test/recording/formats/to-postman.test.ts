import { expect, it } from 'vitest'
import { toPostman } from '../../../src/recording/formats/to-postman.ts'
import { exchangeOf } from '../samples.ts'

it('makes a request with its answer as example', () => {
  const exchange = exchangeOf({
    method: 'POST',
    url: 'http://api.example.com:8080/users/7?page=2&page=3',
    status: 201,
    requestHeaders: [
      ['content-type', 'application/json'],
      ['Host', 'api.example.com'],
    ],
    responseHeaders: [['x-id', '7']],
  })
  const collection = toPostman('today', [{ exchange, requestBody: '{"a":1}', responseBody: undefined }])
  expect(collection).toMatchObject({
    info: { name: 'today', schema: expect.stringContaining('v2.1.0') },
    item: [
      {
        name: 'POST /users/7',
        request: {
          method: 'POST',
          header: [{ key: 'content-type', value: 'application/json' }],
          body: { mode: 'raw', raw: '{"a":1}' },
          url: {
            raw: 'http://api.example.com:8080/users/7?page=2&page=3',
            protocol: 'http',
            host: ['api', 'example', 'com'],
            port: '8080',
            path: ['users', '7'],
            query: [
              { key: 'page', value: '2' },
              { key: 'page', value: '3' },
            ],
          },
        },
        response: [{ code: 201, header: [{ key: 'x-id', value: '7' }] }],
      },
    ],
  })
  expect(collection).not.toHaveProperty('item.0.response.0.body')
})
