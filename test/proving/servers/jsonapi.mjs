// A small JSON:API server, made as the guide of jsonapi-server makes one.
import jsonApi from 'jsonapi-server'

const { Joi, MemoryHandler, define } = jsonApi
jsonApi.setConfig({ protocol: 'http', hostname: '127.0.0.1', port: Number(process.argv[2]), base: 'rest' })
define({
  resource: 'people',
  handlers: new MemoryHandler(),
  attributes: {
    name: Joi.string().required(),
    email: Joi.string().email(),
    age: Joi.number().min(0),
    articles: Joi.belongsToMany({ resource: 'articles', as: 'author' }),
  },
  examples: [],
})
define({
  resource: 'tags',
  handlers: new MemoryHandler(),
  attributes: { name: Joi.string().required() },
  examples: [],
})
define({
  resource: 'articles',
  handlers: new MemoryHandler(),
  searchParams: {},
  attributes: {
    title: Joi.string().required(),
    content: Joi.string().required(),
    status: Joi.string().valid('draft', 'published').default('draft'),
    views: Joi.number().default(0),
    author: Joi.one('people'),
    tags: Joi.many('tags'),
  },
  examples: [],
})
jsonApi.start()
