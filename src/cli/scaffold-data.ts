/** The file of routes that declares the same as a first `app.ts`, as data. */
export function routesFile(withConfig: boolean): string {
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
