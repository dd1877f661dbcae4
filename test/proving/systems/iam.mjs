import {
  AddUserToGroupCommand,
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateGroupCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteGroupCommand,
  DeleteRoleCommand,
  DeleteUserCommand,
  DetachUserPolicyCommand,
  GetGroupCommand,
  GetPolicyCommand,
  GetRoleCommand,
  GetUserCommand,
  IAMClient,
  ListAccessKeysCommand,
  ListAttachedUserPoliciesCommand,
  ListGroupsForUserCommand,
  ListGroupsCommand,
  ListRolesCommand,
  ListUsersCommand,
  ListUserTagsCommand,
  RemoveUserFromGroupCommand,
  TagUserCommand,
  UpdateUserCommand,
} from '@aws-sdk/client-iam'
import { startServer } from '../server.ts'

// Moto, which stands for AWS: IAM answers calls of AWS query in XML. apt-get install python3-moto
export const needs = ['moto_server']
export const keepsHost = true
export const short = {
  checks: 'members of groups, what is attached and tags are answered as they were recorded',
}

export function start() {
  return startServer('moto_server', (port) => ['-H', '127.0.0.1', '-p', String(port)])
}

export async function session(base, which, check) {
  const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a-key-that-nobody-checks' }
  const client = new IAMClient({ endpoint: base, region: 'us-east-1', credentials, maxAttempts: 1 })
  const A = which === 'A'
  const send = (name, command, isRight) => check(name, () => client.send(command), isRight)
  const fails = (code) => (_v, error) => error?.name === code
  const names = (list, name, wanted) =>
    list
      .map((each) => each[name])
      .toSorted()
      .join() === wanted.join()
  const users = A ? ['ann', 'bob', 'cyd'] : ['zoe', 'yan']
  const groups = A ? ['admins', 'devs'] : ['ops', 'sales', 'staff']
  const [one, two] = users
  const listUsers = (wanted) =>
    send('users', new ListUsersCommand({}), (got) => names(got.Users, 'UserName', wanted))
  const get = (UserName) =>
    send(
      'get user',
      new GetUserCommand({ UserName }),
      (got) => got.User.UserName === UserName && got.User.Arn.endsWith(`/${UserName}`),
    )
  const getNone = (UserName) =>
    send('get none', new GetUserCommand({ UserName }), fails('NoSuchEntityException'))
  await listUsers([])
  for (const UserName of users)
    await send(
      'create user',
      new CreateUserCommand({ UserName, Path: '/' }),
      (got) => got.User.UserName === UserName && got.User.UserId,
    )
  await send('create again', new CreateUserCommand({ UserName: two }), fails('EntityAlreadyExistsException'))
  await listUsers(users.toSorted())
  await get(one)
  if (!A) await get(two)
  await getNone(A ? 'dan' : 'tim')
  for (const GroupName of groups)
    await send(
      'create group',
      new CreateGroupCommand({ GroupName }),
      (got) => got.Group.GroupName === GroupName,
    )
  await send('groups', new ListGroupsCommand({}), (got) => names(got.Groups, 'GroupName', groups))
  for (const UserName of [one, two])
    await send('join', new AddUserToGroupCommand({ GroupName: groups[0], UserName }))
  if (A) await send('join', new AddUserToGroupCommand({ GroupName: groups[1], UserName: one }))
  await send(
    'join none',
    new AddUserToGroupCommand({ GroupName: A ? 'nobody' : 'none', UserName: one }),
    fails('NoSuchEntityException'),
  )
  await send('group', new GetGroupCommand({ GroupName: groups[0] }), (got) =>
    names(got.Users, 'UserName', [one, two].toSorted()),
  )
  await send('groups of', new ListGroupsForUserCommand({ UserName: one }), (got) =>
    names(got.Groups, 'GroupName', A ? groups : [groups[0]]),
  )
  await send('leave', new RemoveUserFromGroupCommand({ GroupName: groups[0], UserName: two }))
  await send('group', new GetGroupCommand({ GroupName: groups[0] }), (got) =>
    names(got.Users, 'UserName', [one]),
  )
  const key = await send(
    'create key',
    new CreateAccessKeyCommand({ UserName: one }),
    (got) => got.AccessKey.AccessKeyId,
  )
  await send(
    'keys',
    new ListAccessKeysCommand({ UserName: one }),
    (got) => got.AccessKeyMetadata.length === 1,
  )
  await send(
    'delete key',
    new DeleteAccessKeyCommand({ UserName: one, AccessKeyId: key?.AccessKey.AccessKeyId }),
  )
  await send(
    'keys',
    new ListAccessKeysCommand({ UserName: one }),
    (got) => got.AccessKeyMetadata.length === 0,
  )
  const document = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: A ? 's3:*' : 'ec2:*', Resource: '*' }],
  })
  const policy = await send(
    'create policy',
    new CreatePolicyCommand({ PolicyName: A ? 'store' : 'compute', PolicyDocument: document }),
    (got) => got.Policy.Arn.endsWith(A ? 'store' : 'compute'),
  )
  const PolicyArn = policy?.Policy.Arn
  await send(
    'get policy',
    new GetPolicyCommand({ PolicyArn }),
    (got) => got.Policy.PolicyName === (A ? 'store' : 'compute'),
  )
  await send('attach', new AttachUserPolicyCommand({ UserName: two, PolicyArn }))
  await send(
    'attached',
    new ListAttachedUserPoliciesCommand({ UserName: two }),
    (got) => got.AttachedPolicies[0].PolicyArn === PolicyArn,
  )
  await send('detach', new DetachUserPolicyCommand({ UserName: two, PolicyArn }))
  await send(
    'attached',
    new ListAttachedUserPoliciesCommand({ UserName: two }),
    (got) => got.AttachedPolicies.length === 0,
  )
  await send('tag', new TagUserCommand({ UserName: one, Tags: [{ Key: 'team', Value: A ? 'red' : 'blue' }] }))
  await send(
    'tags',
    new ListUserTagsCommand({ UserName: one }),
    (got) => got.Tags[0].Value === (A ? 'red' : 'blue'),
  )
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [] })
  for (const RoleName of A ? ['reader', 'writer'] : ['viewer'])
    await send(
      'create role',
      new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument, Description: `${RoleName} of ${one}` }),
      (got) => got.Role.RoleName === RoleName,
    )
  await send(
    'get role',
    new GetRoleCommand({ RoleName: A ? 'reader' : 'viewer' }),
    (got) => got.Role.Description === (A ? 'reader of ann' : 'viewer of zoe'),
  )
  await send('roles', new ListRolesCommand({}), (got) =>
    names(got.Roles, 'RoleName', A ? ['reader', 'writer'] : ['viewer']),
  )
  await send('delete role', new DeleteRoleCommand({ RoleName: A ? 'writer' : 'viewer' }))
  await send(
    'get role none',
    new GetRoleCommand({ RoleName: A ? 'writer' : 'viewer' }),
    fails('NoSuchEntityException'),
  )
  await send('rename', new UpdateUserCommand({ UserName: two, NewUserName: A ? 'rob' : 'ida' }))
  await get(A ? 'rob' : 'ida')
  await getNone(two)
  await send('delete user', new DeleteUserCommand({ UserName: A ? 'cyd' : 'ida' }))
  await send(
    'delete none',
    new DeleteUserCommand({ UserName: A ? 'cyd' : 'ida' }),
    fails('NoSuchEntityException'),
  )
  await listUsers(A ? ['ann', 'rob'] : ['zoe'])
  await send('delete group', new DeleteGroupCommand({ GroupName: groups[1] }))
  await send('groups', new ListGroupsCommand({}), (got) =>
    names(
      got.Groups,
      'GroupName',
      groups.filter((each) => each !== groups[1]),
    ),
  )
}
