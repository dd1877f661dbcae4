import type { Schema } from '../../engine/schema/schema.ts'
import { answerOf } from './answer-place.ts'
import { withComposed, withEnvelope } from './composed-fields.ts'
import { withoutEffects } from './effects.ts'
import type { FixtureData } from './fixture-answers.ts'
import { type InferredRoute, linkedModel } from './infer-route.ts'
import { isListed } from './item-option.ts'
import { changePart } from './model-fields.ts'
import { reference, storedReference } from './model-references.ts'
import { outputModel } from './models.ts'
import { modelName } from './names.ts'
import type { StoredModel } from './resource-models.ts'

/**
 * What a route answers, as its data say it.
 * @param around models by name, to which new ones are added, and what is stored or comes from a fixture
 * @param isNotItem whether what answers is not what is stored
 * @param isOfAll whether it is about all items at once
 */
export function outputOf(
  route: InferredRoute,
  around: {
    readonly models: Map<string, Schema>
    readonly stored: StoredModel | undefined
    readonly fixture: FixtureData | undefined
  },
  isNotItem: boolean,
  isOfAll: boolean,
): unknown {
  const { models, stored, fixture } = around
  const { output } = route
  if (output === undefined) return undefined
  if (isListed(route))
    return outputModel(withoutEffects(route.samples.filter(({ status }) => status === route.status)))?.model
  if (isNotItem) return linkedModel(output, route)
  const { form, list = '' } = output
  const refer = (model: Schema): Schema =>
    reference(model, modelName(stored?.resource.path ?? route.path), models)
  const isPlain = stored === undefined && form === 'single' && fixture === undefined
  const linked = stored === undefined ? linkedModel(output, route) : output.model
  const own = isPlain ? withComposed(linked, route) : linked
  const { place } = stored?.resource ?? {}
  const answer = place === undefined ? [] : answerOf(route.samples, route.status, place)
  if (stored !== undefined && place !== undefined && !isOfAll && form === 'single' && answer.length > 0)
    return changePart(withEnvelope(own, route, { ...place, answer }), answer, () =>
      storedReference(stored, models),
    )
  if (form === 'paged')
    return { paged: changePart(own, [`${list}[]`], (item) => refer(stored?.model ?? item)) }
  if (isOfAll && form === 'single') return linkedModel(output, route)
  const model =
    stored === undefined || isOfAll ? refer(stored?.model ?? own) : storedReference(stored, models)
  if (stored === undefined && fixture !== undefined)
    return { ...(form === 'list' ? { type: 'array', items: model } : model), ...fixture.link }
  return form === 'single' ? model : { [form]: model }
}
