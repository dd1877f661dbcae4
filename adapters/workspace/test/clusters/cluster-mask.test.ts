import { describe, expect, it } from 'vitest'
import { maskedSpec } from '../../src/clusters/cluster-spec.ts'

const spec = { spark_version: 'x', num_workers: 2, aws_attributes: { zone_id: 'a', availability: 'SPOT' } }

describe('masked updates of clusters', () => {
  it('take only the fields that are named, and drop those that are not given', () => {
    expect(maskedSpec(spec, { num_workers: 3, spark_version: 'y' }, 'num_workers')).toEqual({
      ...spec,
      num_workers: 3,
    })
    expect(maskedSpec(spec, {}, 'aws_attributes')).toEqual({ spark_version: 'x', num_workers: 2 })
  })

  it('reach into objects', () => {
    expect(maskedSpec(spec, { aws_attributes: { zone_id: 'b' } }, ' aws_attributes.zone_id ')).toEqual({
      ...spec,
      aws_attributes: { zone_id: 'b', availability: 'SPOT' },
    })
    expect(spec.aws_attributes.zone_id).toBe('a')
  })

  it('replace everything by *', () => {
    expect(maskedSpec(spec, { spark_version: 'z' }, '*')).toEqual({ spark_version: 'z' })
  })

  it('change the kind of size as a whole', () => {
    const autoscale = { min_workers: 1, max_workers: 2 }
    expect(maskedSpec(spec, { autoscale }, 'autoscale')).toEqual({
      spark_version: 'x',
      aws_attributes: spec.aws_attributes,
      autoscale,
    })
    expect(maskedSpec({ autoscale }, { num_workers: 1 }, 'num_workers')).toEqual({ num_workers: 1 })
  })

  it('refuse fields that clusters do not have', () => {
    expect(() => maskedSpec(spec, {}, 'state')).toThrow('answered 400')
  })
})
