// Descriptors of shapes, sub-arrays and constants.
#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>
#include <array/ConstantOffsetsBuffer.h>
#include <array/ConstantShapeBuffer.h>
#include <array/ShapeDescriptor.h>
#include <array/TadDescriptor.h>
#include <array/TadPack.h>

#include <new>
#include <vector>

#include "export.h"

namespace sd::compat {

SD_MEMBER(ShapeDescriptor, _ZN2sd15ShapeDescriptor13shape_stridesEv, self->shape_strides())
SD_MEMBER(ShapeDescriptor, _ZN2sd15ShapeDescriptorC1ERKS0_, (void)new (self) ShapeDescriptor(a),
          const ShapeDescriptor& a)
SD_MEMBER(const ShapeDescriptor, _ZNK2sd15ShapeDescriptor10stridesPtrEv, self->stridesPtr())
SD_MEMBER(const ShapeDescriptor, _ZNK2sd15ShapeDescriptor3ewsEv, self->ews())
SD_MEMBER(const ShapeDescriptor, _ZNK2sd15ShapeDescriptor4rankEv, self->rank())
SD_MEMBER(const ShapeDescriptor, _ZNK2sd15ShapeDescriptor5orderEv, self->order())
SD_MEMBER(const ShapeDescriptor, _ZNK2sd15ShapeDescriptor8dataTypeEv, self->dataType())
SD_MEMBER(TadPack, _ZN2sd7TadPackC1ERKNS_19ConstantShapeBufferERKNS_21ConstantOffsetsBufferEx,
          (void)new (self) TadPack(a, b, c), const ConstantShapeBuffer& a, const ConstantOffsetsBuffer& b, LongType c)
SD_MEMBER(const TadPack, _ZNK2sd7TadPack12numberOfTadsEv, self->numberOfTads())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack14primaryOffsetsEv, self->primaryOffsets())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack14specialOffsetsEv, self->specialOffsets())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack15platformOffsetsEv, self->platformOffsets())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack15shapeInfoLengthEv, self->shapeInfoLength())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack16primaryShapeInfoEv, self->primaryShapeInfo())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack16specialShapeInfoEv, self->specialShapeInfo())
SD_MEMBER(const TadPack, _ZNK2sd7TadPack17platformShapeInfoEv, self->platformShapeInfo())
SD_MEMBER(TadDescriptor, _ZN2sd13TadDescriptor13originalShapeEv, self->originalShape())
SD_MEMBER(TadDescriptor, _ZN2sd13TadDescriptor4axisEv, self->axis())
SD_MEMBER(TadDescriptor, _ZN2sd13TadDescriptorC1ERKS0_, (void)new (self) TadDescriptor(a), const TadDescriptor& a)
SD_MEMBER(const TadDescriptor, _ZNK2sd13TadDescriptor17areUnitiesinShapeEv, self->areUnitiesinShape())
SD_MEMBER(ConstantDescriptor, _ZN2sd18ConstantDescriptorC1EPdi, (void)new (self) ConstantDescriptor(a, b), double* a,
          int b)
SD_MEMBER(ConstantDescriptor, _ZN2sd18ConstantDescriptorC1ERSt6vectorIdSaIdEE, (void)new (self) ConstantDescriptor(a),
          std::vector<double>& a)
SD_MEMBER(ConstantDescriptor, _ZN2sd18ConstantDescriptorC1ERSt6vectorIxSaIxEE, (void)new (self) ConstantDescriptor(a),
          std::vector<LongType>& a)
SD_MEMBER(const ConstantDescriptor, _ZNK2sd18ConstantDescriptor11floatValuesEv, self->floatValues())
SD_MEMBER(const ConstantDescriptor, _ZNK2sd18ConstantDescriptor13integerValuesEv, self->integerValues())
SD_MEMBER(const ConstantDescriptor, _ZNK2sd18ConstantDescriptor7isFloatEv, self->isFloat())
SD_MEMBER(const ConstantDescriptor, _ZNK2sd18ConstantDescriptor9isIntegerEv, self->isInteger())
SD_MEMBER(ConstantDataBuffer, _ZN2sd18ConstantDataBufferC1ERKS0_, (void)new (self) ConstantDataBuffer(a),
          const ConstantDataBuffer& a)
SD_MEMBER(const ConstantDataBuffer, _ZNK2sd18ConstantDataBuffer6lengthEv, self->length())
SD_MEMBER(const ConstantDataBuffer, _ZNK2sd18ConstantDataBuffer6sizeOfEv, self->sizeOf())
SD_MEMBER(const ConstantDataBuffer, _ZNK2sd18ConstantDataBuffer7primaryEv, self->primary())
SD_MEMBER(const ConstantDataBuffer, _ZNK2sd18ConstantDataBuffer7specialEv, self->special())
SD_MEMBER(const ConstantShapeBuffer, _ZNK2sd19ConstantShapeBuffer7primaryEv, self->primary())
SD_MEMBER(const ConstantShapeBuffer, _ZNK2sd19ConstantShapeBuffer7specialEv, self->special())
SD_MEMBER(const ConstantShapeBuffer, _ZNK2sd19ConstantShapeBuffer8platformEv, self->platform())
SD_MEMBER(const ConstantOffsetsBuffer, _ZNK2sd21ConstantOffsetsBuffer7primaryEv, self->primary())
SD_MEMBER(const ConstantOffsetsBuffer, _ZNK2sd21ConstantOffsetsBuffer7specialEv, self->special())
SD_MEMBER(const ConstantOffsetsBuffer, _ZNK2sd21ConstantOffsetsBuffer8platformEv, self->platform())

SD_MEMBER(TadDescriptor, _ZNK2sd13TadDescriptor18originalShapeConstEv, (self->originalShape()))

}  // namespace sd::compat
