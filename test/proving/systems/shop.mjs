import { jsonClient, startServer } from "../server.ts"
export function start() { return startServer(process.execPath, (port) => ['/tmp/p1/shop/server.cjs', String(port)]) }
const VALUES = {
  A: {
    people: [['ann@lab.org', 'password1', 'Ann'], ['bob@mail.net', 'password2', 'Bob'], ['cid@lab.org', 'password3', 'Cid']],
    products: [['AB-101', 'Red pen', 1.5, 100, ['office', 'red']], ['AB-102', 'Blue pen', 1.75, 50, ['office']], ['CD-200', 'Desk lamp', 29.9, 7, ['home']], ['CD-201', 'Chair', 89, 3, ['home', 'red']], ['EF-300', 'Notebook', 4.2, 40, []]],
    orders: [[1, [[0, 10], [1, 2]]], [2, [[2, 1]]], [1, [[4, 3], [0, 1], [2, 2]]], [1, [[3, 1]]]],
    none: 99, noOrder: '7b0d4ad1-3a43-4d0c-9a65-0f8f9c1f2a10', q: 'pen', tag: 'red', min: 4, max: 30, sort: '-price', badSku: 'abc',
  },
  B: {
    people: [['kim@home.fr', 'longenough', 'Kim'], ['lee@shop.io', 'wordpass', 'Lee']],
    products: [['XY-001', 'Green tea', 6, 20, ['drink']], ['XY-002', 'Black tea', 5.5, 30, ['drink', 'dark']], ['XY-003', 'Dark chocolate', 2.25, 80, ['sweet', 'dark']], ['ZZ-900', 'Honey', 7.8, 12, ['sweet']], ['ZZ-901', 'Tea pot', 24, 4, ['tool']], ['ZZ-902', 'Cup', 3, 60, []]],
    orders: [[1, [[3, 2]]], [1, [[0, 1], [5, 4]]], [0, [[2, 8], [1, 1], [4, 1]]], [1, [[2, 5]]], [1, [[5, 1], [3, 1]]]],
    none: 123, noOrder: '11111111-2222-4333-8444-555555555555', q: 'tea', tag: 'dark', min: 5, max: 8, sort: 'name', badSku: 'ZZ9',
  },
}
export async function session(base, which, check) {
  const v = VALUES[which], isA = which === 'A'
  const c = jsonClient(base)
  const is = (status, holds = () => true) => ({ s, b, h }) => s === status && holds(b, h)
  const named = (field) => (b) => b.errors.some((e) => e.field === field)
  const people = []
  for (const [email, password, name] of v.people)
    people.push((await check('register', () => c('POST', '/auth/register', { email, password, name }), is(201, (b) => b.user.email === email && b.user.name === name && b.accessToken && !('password' in b.user) && b.user.role === (people.length === 0 ? 'admin' : 'customer'))))?.b)
  await check('register twice', () => c('POST', '/auth/register', { email: v.people[1][0], password: 'whatever1', name: 'Twin' }), is(409, (b) => b.message === 'Email already in use'))
  await check('register bad email', () => c('POST', '/auth/register', { email: isA ? 'nope' : 'x at y', password: 'whatever1', name: 'Zed' }), is(400, named('email')))
  await check('register short', () => c('POST', '/auth/register', { email: isA ? 'zed@lab.org' : 'zoe@home.fr', password: isA ? 'short' : 'tiny', name: 'Zed' }), is(400, named('password')))
  await check('register nothing', () => c('POST', '/auth/register', {}), is(400, (b) => b.errors.length === 3))
  const login = []
  for (const at of isA ? [0, 1, 2] : [1, 0]) login[at] = (await check('login', () => c('POST', '/auth/login', { email: v.people[at][0], password: v.people[at][1] }), is(200, (b) => b.user.id === people[at].user.id && b.accessToken)))?.b
  await check('login wrong', () => c('POST', '/auth/login', { email: v.people[0][0], password: 'wrong-' + which }), is(401, (b) => b.message === 'Invalid credentials'))
  await check('login none', () => c('POST', '/auth/login', { email: 'nobody@x.yz', password: v.people[0][1] }), is(401, (b) => b.message === 'Invalid credentials'))
  const by = v.people.map((_p, at) => jsonClient(base, { authorization: `Bearer ${login[at]?.accessToken}` }))
  for (const at of isA ? [0, 1, 2] : [1, 0]) await check('me', () => by[at]('GET', '/auth/me'), is(200, (b) => b.email === v.people[at][0] && b.id === people[at].user.id))
  await check('me without', () => c('GET', '/auth/me'), is(401, (b) => b.message === 'Missing token'))
  await check('me bad', () => jsonClient(base, { authorization: 'Bearer ' + which + 'xyz' })('GET', '/auth/me'), is(401, (b) => b.message === 'Invalid token'))
  await check('change me', () => by[1]('PATCH', '/auth/me', { name: isA ? 'Bobby' : 'Leeroy' }), is(200, (b) => b.name === (isA ? 'Bobby' : 'Leeroy') && b.email === v.people[1][0]))
  await check('me', () => by[1]('GET', '/auth/me'), is(200, (b) => b.name === (isA ? 'Bobby' : 'Leeroy')))
  await check('none yet', () => c('GET', '/products'), is(200, (b) => b.data.length === 0 && b.hasMore === false && b.nextCursor === null))
  const products = []
  for (const [sku, name, price, stock, tags] of v.products)
    products.push((await check('create', () => by[0]('POST', '/products', { sku, name, price, stock, ...(tags.length && { tags }) }), is(201, (b, h) => b.sku === sku && b.stock === stock && b.isActive === true && b.tags.join() === tags.join() && h.get('location') === `/products/${b.id}`)))?.b)
  await check('create twice', () => by[0]('POST', '/products', { sku: v.products[1][0], name: 'Again', price: 1 }), is(409, (b) => b.message === `Product with sku ${v.products[1][0]} already exists`))
  await check('create bad sku', () => by[0]('POST', '/products', { sku: v.badSku, name: 'Bad', price: 1 }), is(400, named('sku')))
  await check('create low', () => by[0]('POST', '/products', { sku: 'QQ-111', name: 'Low', price: isA ? -1 : -3.5 }), is(400, named('price')))
  await check('create without', () => by[0]('POST', '/products', { sku: isA ? 'QQ-222' : 'QQ-333', price: 3 }), is(400, named('name')))
  await check('create without token', () => c('POST', '/products', { sku: 'QQ-444', name: 'No', price: 3 }), is(401))
  await check('create forbidden', () => by[1]('POST', '/products', { sku: 'QQ-444', name: 'No', price: 3 }), is(403, (b) => b.message === 'Forbidden resource'))
  const skus = (b) => b.data.map((p) => p.sku).join()
  const wanted = (holds) => v.products.filter(holds).map((p) => p[0]).join()
  await check('list', () => c('GET', '/products'), is(200, (b) => skus(b) === wanted(() => true) && !b.hasMore))
  let cursor
  for (let at = 0; at < 3; at++) {
    const now = cursor
    const b = (await check('page', () => c('GET', `/products?limit=2${now ? '&cursor=' + now : ''}`), is(200, (x) => skus(x) === v.products.slice(at * 2, at * 2 + 2).map((p) => p[0]).join() && x.hasMore === (at * 2 + 2 < v.products.length))))?.b
    cursor = b?.nextCursor
    if (!cursor) break
  }
  await check('page', () => c('GET', `/products?limit=${isA ? 4 : 5}`), is(200, (b) => b.data.length === (isA ? 4 : 5) && b.hasMore))
  await check('bad cursor', () => c('GET', '/products?cursor=' + (isA ? 'abc' : 'zzz')), is(400, (b) => b.message === 'Invalid cursor'))
  await check('bad limit', () => c('GET', '/products?limit=' + (isA ? 0 : 100)), is(400, named('limit')))
  await check('search', () => c('GET', '/products?q=' + v.q), is(200, (b) => skus(b) === wanted((p) => p[1].toLowerCase().includes(v.q))))
  await check('tag', () => c('GET', '/products?tag=' + v.tag), is(200, (b) => skus(b) === wanted((p) => p[4].includes(v.tag))))
  await check('min', () => c('GET', '/products?minPrice=' + v.min), is(200, (b) => skus(b) === wanted((p) => p[2] >= v.min)))
  await check('max', () => c('GET', '/products?maxPrice=' + v.max), is(200, (b) => skus(b) === wanted((p) => p[2] <= v.max)))
  await check('between', () => c('GET', `/products?minPrice=${v.min}&maxPrice=${v.max}`), is(200, (b) => skus(b) === wanted((p) => p[2] >= v.min && p[2] <= v.max)))
  await check('sort', () => c('GET', '/products?sort=' + v.sort), is(200, (b) => b.data.every((p, at) => at === 0 || (isA ? b.data[at - 1].price >= p.price : b.data[at - 1].name <= p.name))))
  for (const at of isA ? [0, 3] : [2, 5, 1]) await check('read', () => c('GET', `/products/${products[at]?.id}`), is(200, (b) => b.sku === v.products[at][0]))
  await check('read none', () => c('GET', `/products/${v.none}`), is(404, (b) => b.message === `Product ${v.none} not found`))
  const orders = []
  for (const [who, lines] of v.orders) {
    const total = Math.round(lines.reduce((s, [p, n]) => s + Math.round(v.products[p][2] * n * 100) / 100, 0) * 100) / 100
    orders.push((await check('order', () => by[who]('POST', '/orders', { lines: lines.map(([p, quantity]) => ({ productId: products[p]?.id, quantity })) }), is(201, (b) => b.total === total && b.status === 'pending' && b.lines.length === lines.length && b.customerId === people[who].user.id && b.lines[0].name === v.products[lines[0][0]][1])))?.b)
  }
  const stock = v.products[0][3] - v.orders.flatMap((o) => o[1]).filter(([p]) => p === 0).reduce((s, [, n]) => s + n, 0)
  await check('stock', () => c('GET', `/products/${products[0]?.id}`), is(200, (b) => b.stock === stock))
  await check('order too many', () => by[1]('POST', '/orders', { lines: [{ productId: products[3]?.id, quantity: isA ? 500 : 90 }] }), is(422, (b) => b.message === 'Insufficient stock' && b.details.productId === products[3].id))
  await check('order none', () => by[1]('POST', '/orders', { lines: [{ productId: v.none, quantity: 1 }] }), is(404, (b) => b.message === `Product ${v.none} not found`))
  await check('order nothing', () => by[1]('POST', '/orders', { lines: [] }), is(400, named('lines')))
  await check('order without token', () => c('POST', '/orders', { lines: [{ productId: 1, quantity: 1 }] }), is(401))
  const mine = v.orders.map((o, at) => [o, orders[at]]).filter(([o]) => o[0] === 1)
  await check('orders', () => by[1]('GET', '/orders'), is(200, (b) => b.meta.total === mine.length && b.data[0].id === mine.at(-1)[1].id && !('lines' in b.data[0])))
  await check('orders page', () => by[1]('GET', `/orders?page=2&perPage=${isA ? 2 : 3}`), is(200, (b) => b.data.length === mine.length - (isA ? 2 : 3) && b.meta.page === 2 && b.meta.pageCount === 2))
  await check('order read', () => by[1]('GET', `/orders/${mine[0][1]?.id}`), is(200, (b) => b.lines.length === mine[0][0][1].length && b.id === mine[0][1].id))
  await check('order of other', () => by[isA ? 2 : 0]('GET', `/orders/${mine[0][1]?.id}`), is(404, (b) => b.message === 'Order not found'))
  await check('order no', () => by[1]('GET', `/orders/${v.noOrder}`), is(404, (b) => b.message === 'Order not found'))
  for (const at of isA ? [0, 1] : [1, 2]) await check('pay', () => by[1]('POST', `/orders/${mine[at][1]?.id}/pay`), is(200, (b) => b.status === 'paid' && b.paidAt && b.id === mine[at][1].id))
  const paid = isA ? 0 : 1
  await check('pay again', () => by[1]('POST', `/orders/${mine[paid][1]?.id}/pay`), is(409, (b) => b.message === 'Order is paid'))
  await check('cancel', () => by[1]('POST', `/orders/${mine[isA ? 2 : 0][1]?.id}/cancel`), is(200, (b) => b.status === 'cancelled'))
  await check('cancel paid', () => by[1]('POST', `/orders/${mine[paid][1]?.id}/cancel`), is(409, (b) => b.message === 'Order is paid'))
  await check('pay none', () => by[1]('POST', `/orders/${v.noOrder}/pay`), is(404))
  await check('order read', () => by[1]('GET', `/orders/${mine[paid][1]?.id}`), is(200, (b) => b.status === 'paid'))
  await check('orders paid', () => by[1]('GET', '/orders?status=paid'), is(200, (b) => b.meta.total === 2 && b.data.every((o) => o.status === 'paid')))
  await check('change', () => by[0]('PATCH', `/products/${products[1]?.id}`, { price: isA ? 2 : 6.25 }), is(200, (b) => b.price === (isA ? 2 : 6.25) && b.sku === v.products[1][0]))
  await check('change', () => by[0]('PATCH', `/products/${products[4]?.id}`, { name: 'Renamed', isActive: false }), is(200, (b) => b.name === 'Renamed' && b.isActive === false))
  await check('change bad', () => by[0]('PATCH', `/products/${products[1]?.id}`, { price: isA ? -2 : -7 }), is(400, named('price')))
  await check('change forbidden', () => by[1]('PATCH', `/products/${products[1]?.id}`, { price: 3 }), is(403))
  await check('change none', () => by[0]('PATCH', `/products/${v.none}`, { price: 3 }), is(404))
  await check('read', () => c('GET', `/products/${products[1]?.id}`), is(200, (b) => b.price === (isA ? 2 : 6.25)))
  await check('delete', () => by[0]('DELETE', `/products/${products[2]?.id}`), is(204))
  await check('read deleted', () => c('GET', `/products/${products[2]?.id}`), is(404, (b) => b.message === `Product ${products[2].id} not found`))
  await check('delete again', () => by[0]('DELETE', `/products/${products[2]?.id}`), is(404))
  await check('list', () => c('GET', '/products'), is(200, (b) => b.data.length === v.products.length - 1))
  await check('unknown', () => c('GET', isA ? '/carts' : '/wishes'), is(404, (b) => b.message === `Cannot GET ${isA ? '/carts' : '/wishes'}`))
}
