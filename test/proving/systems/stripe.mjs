import { createRequire } from 'node:module'
import Stripe from 'stripe'
import { startServer } from '../server.ts'

// It lists by the second of creation, so each thing has a second of its own.
const SERVER = `
  let now = Date.now()
  Date.now = () => (now += 1000)
  const app = require(process.argv[1]).createExpressApp()
  require('node:http').createServer(app).listen(process.argv[2], '127.0.0.1')`

export function start() {
  const library = createRequire(import.meta.url).resolve('stripe-stateful-mock')
  return startServer(process.execPath, (port) => ['-e', SERVER, library, String(port)], {
    env: { LOG_LEVEL: 'silent' },
  })
}

const VALUES = {
  A: {
    names: ['ada', 'bob', 'cyd', 'dan', 'eve'],
    ...{ limit: 2, tier: 'gold', note: 'Pays late', key: 'order-17', products: ['Tea', 'Coffee', 'Cocoa'] },
    ...{ amounts: [1200, 4550, 990], currency: 'eur', part: 300, none: 'none17', low: 20 },
  },
  B: {
    names: ['hal', 'ivy', 'jon', 'kay'],
    ...{ limit: 3, tier: 'silver', note: 'Has moved', key: 'order-88', products: ['Lamp', 'Chair'] },
    ...{ amounts: [7700, 820], currency: 'usd', part: 410, none: 'nobody4', low: 31 },
  },
}

const clientOf = (base, key) => {
  const { hostname: host, port } = new URL(base)
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

export async function session(base, which, check) {
  const { names, limit, tier, note, key, products, amounts, currency, part, none, low } = VALUES[which]
  const stripe = clientOf(base, 'sk_test_proving')
  const mail = (name) => `${name}@example.com`
  const isMissing = (_, error) => error?.statusCode === 404 && error.code === 'resource_missing'
  await check(
    'wrong key',
    () => clientOf(base, 'pk_live_other').customers.list(),
    (_, error) => error?.statusCode === 401,
  )
  await check(
    'no customers',
    () => stripe.customers.list(),
    ({ data, has_more }) => data.length === 0 && has_more === false,
  )
  const customers = []
  for (const [at, name] of names.entries()) {
    const made = await check(
      'create customer',
      () => stripe.customers.create({ email: mail(name), description: `Customer ${at}`, metadata: { tier } }),
      ({ id, email, metadata }) => id.startsWith('cus_') && email === mail(name) && metadata.tier === tier,
    )
    customers.push(made?.id)
  }
  for (const at of [0, 2, 3])
    await check(
      'retrieve customer',
      () => stripe.customers.retrieve(customers[at]),
      ({ id, email }) => id === customers[at] && email === mail(names[at]),
    )
  await check('no customer', () => stripe.customers.retrieve(`cus_${none}`), isMissing)
  await check(
    'list customers',
    () => stripe.customers.list(),
    ({ data }) => data.length === names.length && data[0].email === mail(names.at(-1)),
  )
  await check(
    'page through customers',
    () => stripe.customers.list({ limit }).autoPagingToArray({ limit: 100 }),
    (all) => all.map(({ id }) => id).join() === customers.toReversed().join(),
  )
  for (const name of [names[1], names[2], 'none'])
    await check(
      'find customer',
      () => stripe.customers.list({ email: mail(name) }),
      ({ data }) => data.map(({ email }) => email).join() === (name === 'none' ? '' : mail(name)),
    )
  await check(
    'update customer',
    () => stripe.customers.update(customers[0], { description: note }),
    ({ description, email }) => description === note && email === mail(names[0]),
  )
  await check(
    'update metadata',
    () => stripe.customers.update(customers[1], { metadata: { tier: 'none', by: 'hand' } }),
    ({ metadata }) => metadata.tier === 'none' && metadata.by === 'hand',
  )
  await check(
    'retrieve customer',
    () => stripe.customers.retrieve(customers[0]),
    ({ description }) => description === note,
  )
  await check('update none', () => stripe.customers.update(`cus_${none}`, { description: note }), isMissing)
  const made = []
  for (const [at, name] of products.entries()) {
    const product = await check(
      'create product',
      () => stripe.products.create({ name }),
      (each) => each.id.startsWith('prod_') && each.name === name,
    )
    const price = await check(
      'create price',
      () => stripe.prices.create({ product: product?.id, currency, unit_amount: amounts[at] }),
      (each) => each.product === product?.id && each.unit_amount === amounts[at],
    )
    made.push({ product: product?.id, price: price?.id })
  }
  await check(
    'nameless product',
    () => stripe.products.create({ description: note }),
    (_, error) => error?.statusCode === 400 && error.param === 'name',
  )
  await check(
    'prices of a product',
    () => stripe.prices.list({ product: made[1].product }),
    ({ data }) => data.length === 1 && data[0].id === made[1].price,
  )
  await check(
    'retire price',
    () => stripe.prices.update(made[0].price, { active: false }),
    ({ active }) => active === false,
  )
  await check(
    'retrieve price',
    () => stripe.prices.retrieve(made[0].price),
    ({ active, unit_amount }) => active === false && unit_amount === amounts[0],
  )
  await check(
    'list products',
    () => stripe.products.list({ limit: 1 }),
    ({ data, has_more }) => data[0].name === products.at(-1) && has_more === true,
  )
  const charges = []
  for (const amount of amounts) {
    const charge = await check(
      'charge',
      () => stripe.charges.create({ amount, currency, source: 'tok_visa', description: note }),
      (each) => each.amount === amount && each.currency === currency && each.status === 'succeeded',
    )
    charges.push(charge?.id)
  }
  for (let time = 0; time < 2; time++)
    charges.push(
      await check(
        'charge once',
        () => stripe.charges.create({ amount: 700, currency, source: 'tok_visa' }, { idempotencyKey: key }),
        (each) =>
          each.amount === 700 && each.id.startsWith('ch_') && (time === 0 || each.id === charges.at(-1)),
      ).then((each) => each?.id),
    )
  await check(
    'declined',
    () => stripe.charges.create({ amount: amounts[0], currency, source: 'tok_chargeDeclined' }),
    (_, error) => error?.statusCode === 402 && error.code === 'card_declined',
  )
  await check(
    'too little',
    () => stripe.charges.create({ amount: low, currency, source: 'tok_visa' }),
    (_, error) => error?.statusCode === 400 && error.code === 'amount_too_small',
  )
  const held = await check(
    'authorize',
    () => stripe.charges.create({ amount: amounts[1], currency, source: 'tok_visa', capture: false }),
    ({ captured }) => captured === false,
  )
  await check(
    'capture',
    () => stripe.charges.capture(held?.id),
    ({ captured, id }) => captured === true && id === held?.id,
  )
  await check(
    'capture again',
    () => stripe.charges.capture(held?.id),
    (_, error) => error?.statusCode === 400 && error.code === 'charge_already_captured',
  )
  const refund = await check(
    'refund',
    () => stripe.refunds.create({ charge: charges[0] }),
    ({ charge, amount }) => charge === charges[0] && amount === amounts[0],
  )
  await check(
    'refund part',
    () => stripe.refunds.create({ charge: charges[1], amount: part }),
    ({ charge, amount }) => charge === charges[1] && amount === part,
  )
  await check(
    'refund again',
    () => stripe.refunds.create({ charge: charges[0] }),
    (_, error) => error?.statusCode === 400 && error.code === 'charge_already_refunded',
  )
  await check(
    'retrieve refund',
    () => stripe.refunds.retrieve(refund?.id),
    ({ charge }) => charge === charges[0],
  )
  for (const at of [0, 1])
    await check(
      'retrieve charge',
      () => stripe.charges.retrieve(charges[at]),
      ({ amount, amount_refunded, refunded }) =>
        amount === amounts[at] && amount_refunded === (at === 0 ? amount : part) && refunded === (at === 0),
    )
  await check('no charge', () => stripe.charges.retrieve(`ch_${none}`), isMissing)
}
