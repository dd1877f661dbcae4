/** What a first app is made of. */
interface ScaffoldOptions {
  /** Write a `sim.yaml`, which the app takes its options from. */
  readonly config: boolean
  /** Write the routes as data, in place of code. */
  readonly data: boolean
}

/** The files of a first app by name, the target of `sim run` first. */
export function scaffold({ config, data }: ScaffoldOptions): Readonly<Record<string, string>> {
  const first = data
    ? { 'routes.yaml': routesFile(config) }
    : { 'app.ts': app(config ? FROM_CONFIG : FROM_CODE) }
  return { ...first, ...(config && { 'sim.yaml': CONFIG }) }
}

const IMPORTS = ["import { FromInput, list, SimAPI } from 'sim-gateway'", "import Type from 'typebox'"].join(
  '\n',
)

const FROM_CODE = 'export const api = new SimAPI({ seed: 42 })'
const FROM_CONFIG = `// Options come from sim.yaml, found from the working directory upwards.
export const api = SimAPI.fromConfig()`

const CONFIG = `# yaml-language-server: $schema=./node_modules/sim-gateway/config/sim.schema.json
# Options of the app. Each can be left out.

# The same seed gives the same answers. Without one, a seed is drawn at each start.
seed: 42

# Keep what POST creates, so that GET, PUT, PATCH and DELETE by id find it.
stateful: false

# Check links when the app is built, and every answer before it is sent.
validate_links: true
validate_responses: true

# Items in a list whose route does not say.
list_count: 3
`

function app(declaration: string): string {
  return `${IMPORTS}

// Fields without a link are generated: by type, format and constraints, and realistic by name.
const User = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    email: Type.String({ format: 'email' }),
    city: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'User' },
)

// A link takes a field from the request.
const ListedUser = Type.Object(
  { ...User.properties, city: Type.String(FromInput('city')) },
  { title: 'ListedUser' },
)
const UserById = Type.Object(
  { ...User.properties, id: Type.String(FromInput('id')) },
  { title: 'UserById' },
)
const NewUser = Type.Object(
  { name: Type.String({ minLength: 1 }), email: Type.String({ format: 'email' }) },
  { title: 'NewUser' },
)
const CreatedUser = Type.Object(
  {
    ...User.properties,
    name: Type.String(FromInput('name')),
    email: Type.String({ format: 'email', ...FromInput('email') }),
  },
  { title: 'CreatedUser' },
)

${declaration}

api.get('/users', {
  input: Type.Object({ city: Type.Optional(Type.String()) }, { title: 'UserQuery' }),
  output: list(ListedUser),
  summary: 'List users, of one city if the query names it',
})
api.get('/users/{id}', { output: UserById, summary: 'Get one user' })
api.post('/users', { input: NewUser, output: CreatedUser, status: 201, summary: 'Create a user' })
`
}

/** The file of routes that declares the same as a first `app.ts`, as data. */
function routesFile(withConfig: boolean): string {
  return `# yaml-language-server: $schema=./node_modules/sim-gateway/config/sim.schema.json
${withConfig ? '# Options come from sim.yaml, found from the directory of this file upwards.\n' : 'options:\n  seed: 42\n'}
# Fields without a link are generated: by type, format and constraints, and realistic by name.
models:
  User:
    type: object
    required: &all [id, name, email, city, created_at]
    properties: &fields
      id: { type: string, minLength: 1 }
      name: { type: string, minLength: 1 }
      email: { type: string, format: email }
      city: { type: string }
      created_at: { type: string, format: date-time }

  # A link takes a field from the request.
  ListedUser:
    type: object
    required: *all
    properties:
      <<: *fields
      city: { type: string, x-sim-link: { fromInput: city } }

  UserById:
    type: object
    required: *all
    properties:
      <<: *fields
      id: { type: string, x-sim-link: { fromInput: id } }

  NewUser:
    type: object
    required: [name, email]
    properties:
      name: { type: string, minLength: 1 }
      email: { type: string, format: email }

  CreatedUser:
    type: object
    required: *all
    properties:
      <<: *fields
      name: { type: string, x-sim-link: { fromInput: name } }
      email: { type: string, format: email, x-sim-link: { fromInput: email } }

routes:
  GET /users:
    summary: List users, of one city if the query names it
    input: { type: object, properties: { city: { type: string } } }
    output: { list: { $ref: '#/models/ListedUser' } }

  GET /users/{id}:
    summary: Get one user
    output: { $ref: '#/models/UserById' }

  POST /users:
    summary: Create a user
    input: { $ref: '#/models/NewUser' }
    output: { $ref: '#/models/CreatedUser' }
    status: 201
`
}
