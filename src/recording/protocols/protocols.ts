import { awsJson } from './aws-json.ts'
import { awsQuery } from './aws-query.ts'
import { couchdb } from './couchdb/couchdb.ts'
import { dynamodb } from './dynamodb/dynamodb.ts'
import { etcd } from './etcd/etcd.ts'
import { fieldCommands } from './field-commands.ts'
import { graphql } from './graphql.ts'
import { grpcGateway } from './grpc-gateway.ts'
import { headerCommands } from './header-commands.ts'
import { influxdb } from './influxdb/influxdb.ts'
import { itemTree } from './item-tree/item-tree.ts'
import { jsonCommands } from './json-commands.ts'
import { jsonRpc } from './json-rpc.ts'
import { odata } from './odata/odata.ts'
import { jsonTree } from './json-tree/json-tree.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { npm } from './npm/npm.ts'
import { oauth } from './oauth.ts'
import type { Protocol } from './protocol.ts'
import { pushgateway } from './pushgateway/pushgateway.ts'
import { webdis } from './redis/webdis.ts'
import { soap } from './soap.ts'
import { trpc } from './trpc.ts'
import { verbPaths } from './verb-paths.ts'
import { webdav } from './webdav.ts'
import { xmlRpc } from './xml-rpc.ts'

/** The protocols that are known; the first that a recording is in counts. */
export const PROTOCOLS: readonly Protocol[] = [
  dynamodb,
  awsJson,
  soap,
  xmlRpc,
  awsQuery,
  jsonRpc,
  graphql,
  webdav,
  odata,
  npm,
  couchdb,
  etcd,
  grpcGateway,
  pushgateway,
  prometheus,
  influxdb,
  webdis,
  oauth,
  trpc,
  headerCommands,
  jsonCommands,
  fieldCommands,
  verbPaths,
  itemTree,
  jsonTree,
]

/** The protocol of a name; `undefined` for none. */
export function protocolCalled(name: string | undefined): Protocol | undefined {
  return PROTOCOLS.find((each) => each.name === name)
}
