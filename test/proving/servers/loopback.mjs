// LoopBack 4: models in memory, behind the controllers that its REST CRUD package defines.
import repository from '@loopback/repository'
import rest from '@loopback/rest'
import crud from '@loopback/rest-crud'

const { defineCrudRepositoryClass, defineCrudRestController } = crud
const { RestApplication } = rest
const { Entity, ModelDefinition, defineModelClass, juggler } = repository

const [port] = process.argv.slice(2)
const app = new RestApplication({ rest: { host: '127.0.0.1', port: Number(port), gracePeriodForClose: 0 } })
const source = new juggler.DataSource({ name: 'db', connector: 'memory' })

function define(name, basePath, properties) {
  const definition = new ModelDefinition(name)
  for (const [key, property] of Object.entries(properties)) definition.addProperty(key, property)
  const Model = defineModelClass(Entity, definition)
  const Repository = defineCrudRepositoryClass(Model)
  const items = new Repository(source)
  const Controller = defineCrudRestController(Model, { basePath })
  app.bind(`repositories.${name}`).to(items)
  class Own extends Controller {
    constructor() {
      super(items)
    }
  }
  Object.defineProperty(Own, 'name', { value: `${name}Controller` })
  app.controller(Own)
}

define('Todo', '/todos', {
  id: { type: 'number', id: true, generated: true },
  title: { type: 'string', required: true, jsonSchema: { minLength: 3 } },
  desc: { type: 'string' },
  isComplete: { type: 'boolean' },
  priority: { type: 'number' },
})
define('Note', '/notes', {
  id: { type: 'string', id: true, defaultFn: 'uuidv4' },
  text: { type: 'string', required: true },
  todoId: { type: 'number' },
})
await app.start()
