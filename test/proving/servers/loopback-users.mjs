import { createRequire } from 'node:module'

const loopback = createRequire('/tmp/authsrv/x.js')('loopback')
const app = loopback()
app.set('legacyExplorer', false)
app.set('remoting', { errorHandler: { debug: false, log: false } })
app.dataSource('db', { connector: 'memory' })
const { User, AccessToken, ACL, Role, RoleMapping } = loopback
for (const model of [AccessToken, ACL, Role, RoleMapping]) app.model(model, { dataSource: 'db', public: false })
const Member = User.extend('Member', { name: String })
app.model(Member, { dataSource: 'db' })
AccessToken.belongsTo(Member, { as: 'user', foreignKey: 'userId' })
Member.hasMany(AccessToken, { as: 'accessTokens', foreignKey: 'userId', options: { disableInclude: true } })
const Note = loopback.PersistedModel.extend(
  'Note',
  { text: { type: String, required: true }, done: { type: Boolean, default: false } },
  {
    relations: { owner: { type: 'belongsTo', model: 'Member', foreignKey: 'ownerId' } },
    acls: [
      { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      { accessType: 'READ', principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' },
      { accessType: 'EXECUTE', principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'create' },
      { accessType: 'WRITE', principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' },
    ],
  },
)
app.model(Note, { dataSource: 'db' })
Note.observe('before save', async ({ isNewInstance, instance, options }) => {
  if (isNewInstance) instance.ownerId = options?.accessToken?.userId
})
app.enableAuth({ dataSource: 'db' })
app.use(loopback.token({ model: AccessToken }))
app.use('/api', loopback.rest())
app.use((_req, res) => res.status(404).json({ error: { statusCode: 404, message: 'Not found' } }))
app.listen(Number(process.argv[2]), '127.0.0.1')
