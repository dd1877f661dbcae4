/** A kind of machine, with every field that clients sort and filter by. */
export interface NodeType {
  readonly node_type_id: string
  readonly memory_mb: number
  readonly num_cores: number
  readonly [field: string]: unknown
}

export interface SparkVersion {
  readonly key: string
  readonly name: string
}

function nodeType(
  id: string,
  category: string,
  cores: number,
  memoryMb: number,
  disks: number,
  gpus = 0,
): NodeType {
  return {
    node_type_id: id,
    memory_mb: memoryMb,
    num_cores: cores,
    description: id,
    instance_type_id: id,
    is_deprecated: false,
    category,
    support_ebs_volumes: true,
    support_cluster_tags: true,
    num_gpus: gpus,
    node_instance_type: {
      instance_type_id: id,
      local_disks: disks,
      local_disk_size_gb: disks * 100,
      local_nvme_disks: disks,
      local_nvme_disk_size_gb: disks * 100,
    },
    is_hidden: false,
    support_port_forwarding: true,
    supports_elastic_disk: true,
    display_order: 0,
    is_io_cache_enabled: disks > 0,
    is_graviton: false,
    photon_worker_capable: true,
    photon_driver_capable: true,
  }
}

/** The kinds of machines of a workspace whose fixture names none. */
export const NODE_TYPES: readonly NodeType[] = [
  nodeType('i3.xlarge', 'Storage Optimized', 4, 31_232, 1),
  nodeType('i3.2xlarge', 'Storage Optimized', 8, 62_464, 1),
  nodeType('m5d.large', 'General Purpose', 2, 8192, 1),
  nodeType('m5d.xlarge', 'General Purpose', 4, 16_384, 1),
  nodeType('r5d.xlarge', 'Memory Optimized', 4, 32_768, 1),
  nodeType('c5d.2xlarge', 'Compute Optimized', 8, 16_384, 1),
  nodeType('g4dn.xlarge', 'GPU Accelerated', 4, 16_384, 1, 1),
]

/** The runtimes of a workspace whose fixture names none. */
export const SPARK_VERSIONS: readonly SparkVersion[] = [
  { key: '16.4.x-scala2.12', name: '16.4 LTS (includes Apache Spark 3.5.2, Scala 2.12)' },
  { key: '16.4.x-scala2.13', name: '16.4 LTS (includes Apache Spark 3.5.2, Scala 2.13)' },
  { key: '16.4.x-photon-scala2.12', name: '16.4 LTS Photon (includes Apache Spark 3.5.2, Scala 2.12)' },
  { key: '16.4.x-cpu-ml-scala2.12', name: '16.4 LTS ML (includes Apache Spark 3.5.2, Scala 2.12)' },
  { key: '16.4.x-gpu-ml-scala2.12', name: '16.4 LTS ML (includes Apache Spark 3.5.2, GPU, Scala 2.12)' },
  { key: '15.4.x-scala2.12', name: '15.4 LTS (includes Apache Spark 3.5.0, Scala 2.12)' },
  { key: '14.3.x-scala2.12', name: '14.3 LTS (includes Apache Spark 3.5.0, Scala 2.12)' },
]

export const ZONES: Readonly<Record<string, readonly string[]>> = {
  aws: ['us-west-2a', 'us-west-2b', 'us-west-2c'],
  azure: ['1', '2', '3'],
  gcp: ['us-central1-a', 'us-central1-b'],
}
