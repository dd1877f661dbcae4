import type { LoginOption } from './login-option.ts'
import type { EmbedsOption } from './embeds-option.ts'
import type { CallModel } from './call-model.ts'
import type { RouteChaos } from './chaos-rule.ts'
import type { EntityOption } from './entity-option.ts'
import type { EtagOption } from './etag.ts'
import type { ErrorAnswers } from './error-answer.ts'
import type { ErrorCase, ScenarioStep } from './error-case.ts'
import type { KnownAnswer } from './known-answer.ts'
import type { PageTable } from './fixtures/page-table.ts'
import type { FileOptions } from './file-option.ts'
import type { Model, Schema } from './schema/schema.ts'
import type { When } from '../routing/condition.ts'

/** Who sends a request, by what a header of it says: the value, or the pseudonym that recordings have in its place. */
export interface Caller {
  readonly header: string
  readonly equals: string
}

/** The options of the policies: each has its row in the table of the plugin that acts on it. */
export interface PolicyOptions {
  /** The bearer tokens that open the route; none means it is open. */
  readonly bearerTokens?: readonly string[] | undefined
  /** What the head of a request must have, such as a header; it is refused with 401 otherwise. */
  readonly requires?: When | undefined
  /** Callers that are refused with 403, whatever they request. */
  readonly forbids?: readonly Caller[] | undefined
  /** The most requests admitted in any one second. */
  readonly rateLimit?: number | undefined
  /** Holds every request this long. */
  readonly latencyMs?: number | undefined
  /** The latency varies by up to this much, both ways. */
  readonly jitterMs?: number | undefined
  /** Errors that answer instead of the model, the first that applies. */
  readonly errors?: readonly ErrorCase[] | undefined
  /** What is answered in place of errors of the gateway's own, by their codes. */
  readonly errorAnswers?: ErrorAnswers | undefined
  /** Whether errors that nothing describes are problem details, where the client accepts them. */
  readonly problemDetails?: boolean | undefined
  /** How ETags of successful answers are made; without it they have none. */
  readonly etag?: EtagOption | undefined
  /** A sequence of statuses: step n answers the n-th request, the last step all that follow. */
  readonly scenario?: readonly ScenarioStep[] | undefined
  /** Share of requests that fail, 0 to 1. */
  readonly errorRate?: number | undefined
  /** Statuses of the failures that `errorRate` causes. Default: 404 and 500. */
  readonly errorCodes?: readonly number[] | undefined
  /** What goes wrong with its requests, where no rule of the session's chaos is for them. */
  readonly chaos?: RouteChaos | undefined
  /** Base URLs of the server that the routes stand for: in answers, they become the gateway's own. */
  readonly serverUrls?: readonly string[] | undefined
}

/** The input fields that choose from a stored list. */
export interface Selection {
  /** Fields that are also the items': those whose value is another are left out. `any`: whichever field a query names. */
  readonly filter?: readonly string[] | 'any' | undefined
  /** The fields that parameters with other names filter by, such as `{ author_id: author.id }`; `filterBy` names one, too. */
  readonly aliases?: Readonly<Record<string, string>> | undefined
  /** How the names of query parameters compare: the operator by a template such as `{field}_gte`, `{field}=gte.{value}` or `filter={field}:gte:{value}`. */
  readonly compare?: Readonly<Record<string, Operator>> | undefined
  /**
   * The parameter whose text is a filter of OData or SCIM, such as `price gt 5 and startswith(title,'A')`, or one as JSON,
   * such as `{"price":{"gt":5}}`. What JSON has beside others, such as the `where` of `filter={"where":…,"limit":2}`, is
   * named `filter.where`.
   */
  readonly where?: string | undefined
  /**
   * The parameter that names the items' field to sort by, or several after one another; a minus before a name or `desc`
   * after it turns the order round. With `{field}` in it, its value is the order.
   */
  readonly sort?: string | undefined
  /** The parameter that says `desc` where the order is turned round. */
  readonly order?: string | undefined
  /** The order of items where no parameter says another, such as `name` or `-created`. Default: that of their creation; `-` turns it round. */
  readonly sorted?: string | undefined
  /** The values that items must have where no parameter says others, such as `{ status: 'open' }`. */
  readonly usual?: Readonly<Record<string, string>> | undefined
  /** The parameter whose text must be in some value of an item, in whatever case. */
  readonly search?: string | undefined
  /** The parameter that names the fields which answered items have. */
  readonly fields?: string | undefined
  /** The fields that they have besides, whichever are named. */
  readonly always?: readonly string[] | undefined
  /** The parameters that say where a part of the list begins, before which item it ends, and how many items it has. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly limit?: string | undefined
  /** The fields that listed items have, where an item by itself has more. */
  readonly show?: readonly string[] | undefined
  /** Pointers to what answers leave out of items, such as `/title/raw`; `-` stands for each entry of a list. */
  readonly hides?: readonly string[] | undefined
  /** Query parameters by whose values answers leave out nothing, such as `{ context: 'edit' }`. */
  readonly reveals?: Readonly<Record<string, string>> | undefined
  /** `all`: the totals of answers count what requests leave out, too. */
  readonly total?: 'all' | undefined
  /** Whether a request is refused that would sort or choose by a field which no item has. */
  readonly known?: boolean | undefined
  /** Whether a request is refused with a parameter that neither `input` names nor is called like a field of an item. */
  readonly strict?: boolean | undefined
  /** Whether requests that do not ask for a page get the whole list. */
  readonly whole?: boolean | undefined
}

/** How the tokens of pages are written. Without a text they are the gateway's own. */
export interface PageTokenForm {
  /** The text in which `{offset}`, `{page}` or `{id}`, that of the item before the page, says where it begins. */
  readonly text?: string | undefined
  /** How that text is encoded. Default: not at all. */
  readonly encoding?: 'base64' | 'base64url' | undefined
  /** The offsets of pages by tokens that say nothing. */
  readonly known?: Readonly<Record<string, number>> | undefined
}

/** Where the stored item is in what a route is sent and answers, and what its requests do with it. */
export interface ItemOption {
  /**
   * The path of the collection, or of the item, that requests are about, where it is not the route's own: `/snapshots` or
   * `/posts/{id}`, with parameters of the route's path. An item whose parameter that has not is named by the id in the body.
   */
  readonly at?: string | undefined
  /** The path of another item that has to be there, such as `/repos/{name}`: requests get 404 otherwise. */
  readonly parent?: string | undefined
  /**
   * Fields of bodies that name other items, and the paths of those, such as `{ team_id: '/teams/{id}' }`, or parts of
   * fields, such as `mail|after @`: a request that names one which is not there is refused with SIM_INPUT_INVALID, as its
   * issue `not_found`.
   */
  readonly needs?: Readonly<Record<string, string>> | undefined
  /**
   * What requests need of items at other paths, with parameters of the route's path, or they are refused with 409, and what
   * they make of them: `{ '/carts/{id}': { from: { status: ['open'] }, filled: ['lines'], sets: { status: 'paid' } } }`.
   */
  readonly affects?: Readonly<Record<string, AffectedItem>> | undefined
  /**
   * What an item is not removed for, with 409: the paths of other items, with a pointer to the member that has its id, such
   * as `{ '/books/{id}': '/author_id' }`, which is empty for those below it, such as `/authors/{id}/books/{book_id}`.
   */
  readonly holders?: Readonly<Record<string, string>> | undefined
  /** How the item counts its changes. */
  readonly version?: ItemVersion | undefined
  /** The path of another item that a PUT stores, such as `/users/{id}` for the members of a group. */
  readonly of?: string | undefined
  /** Whether it is the only one of its kind, such as settings, and the path is its own. */
  readonly only?: boolean | undefined
  /** What the only item of a path is where nobody has written it yet, such as the usual settings of each user. */
  readonly otherwise?: Readonly<Record<string, unknown>> | undefined
  /** A pointer to it in answers, such as `/data`. Default: the answer is the item. */
  readonly answer?: string | undefined
  /** The same in bodies of requests. */
  readonly body?: string | undefined
  /** A pointer to the id in answers which have it beside the item rather than in it: `/bookingid`, with `answer`. */
  readonly beside?: string | undefined
  /** A pointer within the item to its id, such as `/metadata/uid`. Default: the field of the path's parameter, or `id`. */
  readonly id?: string | undefined
  /** The same to another field that paths may name an item by, such as `/slug`. */
  readonly also?: string | undefined
  /**
   * `sent`: the id is that of the body, where it has one. Any other text is a template of those that are assigned, such
   * as `ord_{000061}`, which counts on from that number. Default: whole numbers from 1, or UUIDs.
   */
  readonly ids?: string | undefined
  /**
   * Fields in which what is made is numbered in its order, beside its id, with the number of the first, or a template as that
   * of `ids`: `{ number: 1, code: 'INV-{0001}' }`.
   */
  readonly numbers?: Readonly<Record<string, number | string>> | undefined
  /**
   * What a request to the path of an item does: makes it, puts it there whether one is or not, replaces the one that is
   * there, changes some of its fields, or removes it. Default: POST makes, PUT puts, PATCH changes, DELETE removes.
   *
   * At the path of a collection: `replace` puts the list in the body in place of all items, `remove` removes them all, and
   * `create` with a list makes an item of each of its entries. They answer with the items where the output is a list.
   */
  readonly does?: (typeof DEEDS)[number] | undefined
  /** Fields that a change gives these values, whatever is sent. */
  readonly sets?: Readonly<Record<string, unknown>> | undefined
  /**
   * Numbers that a change adds to fields of the item: `{ likes: 1 }`, or the one that the body has in a member, which is
   * taken away behind a minus: `{ stock: '-quantity' }`.
   */
  readonly adds?: Readonly<Record<string, number | string>> | undefined
  /** What fields of `adds` are not brought below, such as `{ stock: 0 }`: such a change is refused, 409. */
  readonly least?: Readonly<Record<string, number>> | undefined
  /** Whether a change of an item that has the values of `sets` already is refused: 409, such as for what is paid already. */
  readonly once?: boolean | undefined
  /** The values that a field must have for a change or a removal, such as `{ state: ['open'] }`: with any other it is refused, 409. */
  readonly from?: Readonly<Record<string, readonly unknown[]>> | undefined
  /**
   * Members that things have of which bodies, or path parameters, say the id alone, by the names of those fields:
   * `{ status_id: { to: 'status', values: [{ id: 1, name: 'New' }] } }`; with `keepsSent`. Fields of their own that are
   * copied from a stored item: `{ product_id: { at: '/products/{id}', copies: { unit_price: 'price' } } }`, for an entry, too.
   */
  readonly refers?: Readonly<Record<string, ItemReference>> | undefined
  /** What an item that is made has besides, such as counts, and answers to what writes it do not show. */
  readonly begins?: Readonly<Record<string, unknown>> | undefined
  /** The models of fields that a change makes anew, such as times of it; with `keepsSent` or `sets`. */
  readonly touches?: Readonly<Record<string, Schema>> | undefined
  /** Whether the answer to what writes an item is what a GET of its collection gets then. */
  readonly lists?: boolean | undefined
  /** `false`: the answer to a change is not the item. */
  readonly shown?: boolean | undefined
  /** The model of what is made, where the answer is not that; it has values of the item where names are equal. */
  readonly stores?: Schema | undefined
  /** Members that are objects, of which a change keeps what it does not name; `/` leads to those within others. */
  readonly merges?: readonly string[] | undefined
  /**
   * What the entries of lists have besides what is sent of them, by the names of the lists, such as
   * `{ lines: { discount: 0 } }`; with `keepsSent`.
   */
  readonly completes?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  /** The status of a PUT that replaces an item which is there, where one that makes it has another. */
  readonly again?: number | undefined
  /** Members of bodies that items do not have as they are sent, such as passwords; with `keepsSent`. */
  readonly drops?: readonly string[] | undefined
  /** Fields of which no two items have the same value: a request that gives one what another item has gets 409. */
  readonly unique?: readonly string[] | undefined
  /**
   * Where items repeat their ids, by pointers within them: texts in which `{id}` stands for it. In a pointer, `-` stands
   * for each entry of a list, and `{index}` in the text for its place.
   */
  readonly repeats?: Readonly<Record<string, string>> | undefined
  /**
   * Numbers that items have of their other members, by pointers: `{ '/lines/-/amount': 'price * quantity', '/total':
   * 'sum(lines.amount)' }`. In a pointer, `-` stands for each entry of a list. There are `a * b`, `a + b - c`, `sum(list.a)`,
   * `sum(list.a * b)`, `count(list)` and `round(…, 2)`; each may name those before it.
   */
  readonly computes?: Readonly<Record<string, string>> | undefined
  /** The things that answers have besides the items which refer to them, where requests ask for these. */
  readonly includes?: IncludedOption | undefined
  /** The same within the items. */
  readonly embeds?: EmbedsOption | undefined
  /** A pointer within the item to what a GET answers of it, such as `/address`. */
  readonly part?: string | undefined
  /** A pointer to the number of items in answers, such as `/count`, which a GET has in their place; empty for the answer itself. */
  readonly counts?: string | undefined
  /** Whether a GET answers the first item of those that `select` chooses, or 404. */
  readonly first?: boolean | undefined
  /** The list of the item of which a POST adds an entry, a PUT replaces or adds one, a PATCH changes one, and a DELETE removes one. */
  readonly entry?: EntryOption | undefined
  /** What a DELETE answers where the item is not there, in place of 404. */
  readonly absent?: AbsentAnswer | undefined
  /**
   * The request header whose value names a request, such as `idempotency-key`: one that comes again with the same is answered
   * as the first was, and changes nothing. `headers` are those that such an answer has besides.
   */
  readonly idempotent?:
    { readonly header: string; readonly headers?: Readonly<Record<string, string>> | undefined } | undefined
  /** `first`: a change of an item that is not there is refused for that, whatever else is wrong with the request. */
  readonly finds?: 'first' | undefined
}

/** What a request needs of another item, and makes of it. */
export interface AffectedItem {
  /** The values that fields must have. */
  readonly from?: ItemOption['from']
  /** The lists that must have an entry. */
  readonly filled?: readonly string[] | undefined
  /** The values that fields get. */
  readonly sets?: ItemOption['sets']
}

/** A number that each change of an item increases by one, whatever is sent. */
export interface ItemVersion {
  /** A pointer within the item to it, such as `/version`. */
  readonly at: string
  /** What it is of an item that is made: a number, or one as a text. */
  readonly first: number | string
  /** Whether a change is refused with 409 whose body has another than the item. */
  readonly refuses?: boolean | undefined
}

/** An entry of a list that an item has, at a path below that of the item. */
export interface EntryOption {
  /** A pointer within the item to the list, such as `/lines`. */
  readonly list: string
  /** A pointer to the entry in bodies. Default: the body is the entry. */
  readonly body?: string | undefined
  /** A pointer in bodies to the place that an entry comes to. Default: the end. */
  readonly index?: string | undefined
  /** The path parameter that names an entry: by its place, or by `key`, a pointer within it. */
  readonly by?: string | undefined
  readonly key?: string | undefined
  /** That the entry is the value of `by` itself, as a text or a number: what adds one that is there changes nothing. */
  readonly value?: 'text' | 'number' | undefined
  /** How new entries get their `key`, which is `/id` without one: a template as that of `item.ids`, `number` or `uuid`. */
  readonly ids?: string | undefined
  /** The member that no two entries have alike: one that is added with the same adds to the number in the other. */
  readonly same?: { readonly by: string; readonly adds: string } | undefined
  /** What new entries have besides. */
  readonly begins?: Readonly<Record<string, unknown>> | undefined
  /** Whether the removal of a `value` that is not in the list is refused with 404, rather than done already. */
  readonly refuses?: boolean | undefined
}

/** An answer to the removal of what is not there. */
export interface AbsentAnswer {
  /** Default: that of the route. */
  readonly status?: number | undefined
  /** Without it, the answer has no body. */
  readonly body?: unknown
}

/** Where answers have what their items refer to by `type` and `id`, as JSON:API has it in `included`. */
export interface IncludedOption {
  /** The query parameter that names the members which refer to it, such as `include`. */
  readonly parameter: string
  /** A pointer to the list of it in answers, such as `/included`. */
  readonly to: string
  /** A pointer to the item or the items that refer to it. Default: that of `answer`. */
  readonly from?: string | undefined
  /** The paths of what is there, by its type: `{ people: '/people/{id}' }`. */
  readonly at: Readonly<Record<string, string>>
  /** Whether there is an empty list where none is requested. */
  readonly always?: boolean | undefined
}

/** What a member of an item says of another thing. */
export interface ItemReference {
  /** The member. */
  readonly to?: string | undefined
  /** The path of the items that it names, such as `/projects/{id}`, where they are stored. */
  readonly at?: string | undefined
  /** What is known of the things, each with its `id`. */
  readonly values?: readonly Readonly<Record<string, unknown>>[] | undefined
  /** In place of a member: fields that have what the item has in others, such as `{ unit_price: 'price' }`, as it is then. */
  readonly copies?: Readonly<Record<string, FieldCopy>> | undefined
  /** Numbers of bodies that are refused with 409 where they are more than the item has in a field: `{ quantity: 'stock' }`. */
  readonly atMost?: Readonly<Record<string, string>> | undefined
}

/** The field that is copied, or a list with the members that the copies of its entries do not have. */
export type FieldCopy = string | { readonly from: string; readonly without: readonly string[] }

export const DEEDS = ['create', 'put', 'replace', 'change', 'remove'] as const

/** How an item's field is compared with what a query says. */
export type Operator = (typeof OPERATORS)[number]

export const OPERATORS = [
  ...(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'] as const),
  ...(['between', 'like', 'starts', 'ends'] as const),
]

/** What may be said of a declared route. */
export interface RouteOptions<ModelType = Model> extends PolicyOptions {
  /** The host that the route belongs to, such as `api.example.com` or `*.example.com`; without it, any. */
  readonly host?: string | undefined
  /** What distinguishes its requests from those of other routes with this method and path; without it, it has all the rest. */
  readonly when?: When | undefined
  /** The model of the request's input: query for GET, JSON body otherwise, and path parameters. */
  readonly input?: ModelType
  /** The model of the answer: one model, `list(model)`, `PaginatedResponse(model)`, `PageSlice(model)` or `Paged(model)`. */
  readonly output?: ModelType
  /** Status of a successful answer. Default: 200; 204 for a DELETE without output or of a stored item. */
  readonly status?: number
  /** Headers of a successful answer; `{name}` in one stands for a field of the answer or the input. */
  readonly headers?: Readonly<Record<string, string>>
  /** How many items a list answer has; or the name of the input field that says it. */
  readonly listCount?: number | string
  /** Whether the route reads and changes stored items. Default: as the app says. */
  readonly stateful?: boolean
  /** Name of an output field: only items whose field equals the input field of the same name are kept. */
  readonly filterBy?: string
  /** Which input fields say which items of a stored list are answered, and in which order. */
  readonly select?: Selection | undefined
  /** Where the stored item is in bodies and answers, and what requests to its path do with it. */
  readonly item?: ItemOption | undefined
  /** What its requests have to do with the users of the API and their tokens. */
  readonly login?: LoginOption | undefined
  /** Whether a stored item is what its request sends, besides what the model requires. */
  readonly keepsSent?: boolean
  /** Whether successful answers have no body, and `output` says only what is stored. */
  readonly emptyBody?: boolean
  /** What its requests do with stored files: bodies of any bytes that are kept and given as they were sent. */
  readonly file?: FileOptions | undefined
  /** Name of the input field that adds to the seed, and is the seed where the app has none. */
  readonly seedFrom?: string
  /** How the tokens of pages are written that requests ask for pages by. */
  readonly pageTokens?: PageTokenForm | undefined
  /** Pages declared beforehand; answers instead of generation. */
  readonly pageTable?: PageTable | undefined
  /** Answers to single requests, such as those that were recorded; the route answers all others. */
  readonly answers?: readonly KnownAnswer[] | undefined
  /** What calls do to the objects behind them, such as GraphQL's and JSON-RPC's. */
  readonly calls?: CallModel | undefined
  /** Which other requests get the nearest of these answers, with values of their own: all, or those that the route refuses. */
  readonly nearest?: 'all' | 'failures' | undefined
  /** Where requests say which answer is the nearest, such as `query/name`, `path/2` or `body/user/id`. */
  readonly nearestBy?: readonly string[] | undefined
  /** What its requests are about, for the answers above, where their path does not say it. */
  readonly entity?: EntityOption | undefined
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
}
