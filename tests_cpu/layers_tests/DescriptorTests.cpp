// Descriptions of arrays and of parts of them: the flags of a shapeInfo, keys of caches, indices.
#include <array/ArrayOptions.h>
#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>
#include <array/NDArray.h>
#include <array/ShapeDescriptor.h>
#include <array/TadDescriptor.h>
#include <gtest/gtest.h>
#include <helpers/ConstantHelper.h>
#include <memory/AllocationEntry.h>

#include <memory>

using namespace sd;

TEST(DescriptorTests, FlagsOfAnOldFormatAnswerNo) {
  LongType info[] = {1, 3, 1, 0, 1, 'c'};
  EXPECT_FALSE(ArrayOptions::isNewFormat(info));
  EXPECT_FALSE(ArrayOptions::isUnsigned(info));
  EXPECT_FALSE(ArrayOptions::isSparseArray(info));
  EXPECT_FALSE(ArrayOptions::hasExtraProperties(info));
  EXPECT_FALSE(ArrayOptions::hasPaddedBuffer(info));
  EXPECT_THROW(ArrayOptions::dataType(info), std::runtime_error);
}

TEST(DescriptorTests, Flags) {
  LongType info[] = {1, 3, 1, 0, 1, 'c'};
  EXPECT_EQ(ArrayOptions::extraIndex(info), 3);
  EXPECT_EQ(ArrayOptions::extraIndex(5), 11);
  ArrayOptions::setPropertyBits(info, {ARRAY_SPARSE, ARRAY_COO, ARRAY_EXTRAS});
  ArrayOptions::setDataType(info, UINT16);
  EXPECT_EQ(info[3], ARRAY_SPARSE | ARRAY_COO | ARRAY_EXTRAS | ARRAY_UNSIGNED | ARRAY_SHORT);
  EXPECT_TRUE(ArrayOptions::isNewFormat(info));
  EXPECT_TRUE(ArrayOptions::isUnsigned(info));
  EXPECT_TRUE(ArrayOptions::isSparseArray(info));
  EXPECT_TRUE(ArrayOptions::hasExtraProperties(info));
  EXPECT_EQ(ArrayOptions::arrayType(info), ArrayType::SPARSE);
  EXPECT_EQ(ArrayOptions::sparseType(info), SparseType::COO);
  EXPECT_EQ(ArrayOptions::propertyWithoutDataType(info), ARRAY_SPARSE | ARRAY_COO | ARRAY_EXTRAS);
  EXPECT_FALSE(ArrayOptions::hasPaddedBuffer(info));
  ArrayOptions::flagAsPaddedBuffer(info);
  EXPECT_TRUE(ArrayOptions::hasPaddedBuffer(info));

  LongType other[] = {1, 3, 1, ARRAY_EMPTY | ARRAY_DOUBLE, 1, 'c'};
  ArrayOptions::copyDataType(other, info);
  EXPECT_EQ(other[3], ARRAY_EMPTY | ARRAY_UNSIGNED | ARRAY_SHORT);
  EXPECT_EQ(ArrayOptions::dataType(other), UINT16);
  ArrayOptions::resetDataType(other);
  EXPECT_EQ(other[3], ARRAY_EMPTY);
  EXPECT_THROW(ArrayOptions::sparseType(other), std::runtime_error);
  EXPECT_FALSE(ArrayOptions::togglePropertyBit(other, ARRAY_EMPTY));
  EXPECT_TRUE(ArrayOptions::togglePropertyBit(other, ARRAY_EMPTY));

  EXPECT_TRUE(ArrayOptions::isStorable(BFLOAT16));
  EXPECT_TRUE(ArrayOptions::isStorable(UTF32));
  for (const DataType type : {INHERIT, FLOAT8, HALF2, QINT8, QINT16, ANY, AUTO}) {
    EXPECT_FALSE(ArrayOptions::isStorable(type));
    EXPECT_THROW(ArrayOptions::setDataType(other, type), std::runtime_error);
  }
  EXPECT_EQ(other[3], ARRAY_EMPTY);
}

TEST(DescriptorTests, ShapesHaveDimensionsThenStrides) {
  ShapeDescriptor shape(FLOAT32, 'c', {2, 3});
  EXPECT_EQ(shape.shape_strides(), (std::vector<LongType>{2, 3, 3, 1}));
  EXPECT_EQ(shape.dimsPtr()[1], 3);
  EXPECT_EQ(shape.stridesPtr()[0], 3);
  EXPECT_EQ(shape.extraProperties(), 0);
  EXPECT_EQ(ShapeDescriptor::emptyDescriptor(FLOAT32).extraProperties(), ARRAY_EMPTY);
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape.writeShapeInfo(info);
  const std::unique_ptr<LongType[]> made(shape.toShapeInfo());
  EXPECT_TRUE(std::equal(info, info + 8, made.get()));
  EXPECT_TRUE(std::equal(info, info + 8, NDArray('c', {2, 3}, FLOAT32).shapeInfo()));

  const ShapeDescriptor same(FLOAT32, 'c', {2, 3}), order(FLOAT32, 'f', {2, 3}), type(DOUBLE, 'c', {2, 3}),
      size(FLOAT32, 'c', {2, 4});
  EXPECT_TRUE(shape == same);
  EXPECT_FALSE(shape < same || same < shape);
  EXPECT_EQ(std::hash<ShapeDescriptor>()(shape), std::hash<ShapeDescriptor>()(same));
  for (const ShapeDescriptor* other : {&order, &type, &size}) {
    EXPECT_TRUE(shape != *other);
    EXPECT_NE(shape < *other, *other < shape);
  }
}

TEST(DescriptorTests, SubArrays) {
  const NDArray x('c', {2, 3, 4}, FLOAT32);
  const int axes[] = {0, 2};
  const TadDescriptor given(x.shapeInfo(), axes, 2), same(ShapeDescriptor(x.shapeInfo()), {0, 2}),
      units(x.shapeInfo(), axes, 2, true), other(x.shapeInfo(), axes, 1);
  EXPECT_TRUE(given.originalShape() == ShapeDescriptor(x.shapeInfo()));
  EXPECT_EQ(given.axis(), (std::vector<int>{0, 2}));
  EXPECT_FALSE(given.areUnitiesinShape());
  EXPECT_TRUE(units.areUnitiesinShape());
  EXPECT_TRUE(given == same);
  EXPECT_EQ(std::hash<TadDescriptor>()(given), std::hash<TadDescriptor>()(same));
  for (const TadDescriptor* different : {&units, &other}) {
    EXPECT_FALSE(given == *different);
    EXPECT_NE(given < *different, *different < given);
  }
}

TEST(DescriptorTests, Constants) {
  const ConstantDescriptor reals({1.0, 2.5}), integers(std::vector<LongType>{1, 2});
  EXPECT_TRUE(reals.isFloat() && !reals.isInteger());
  EXPECT_TRUE(integers.isInteger() && !integers.isFloat());
  EXPECT_EQ(reals.floatValues(), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(integers.integerValues(), (std::vector<LongType>{1, 2}));
  EXPECT_EQ(reals.length(), 2);
  EXPECT_FALSE(reals == integers);
  EXPECT_FALSE(ConstantDescriptor({0.0}) == ConstantDescriptor({-0.0}));
  EXPECT_NE(reals < integers, integers < reals);

  ConstantDataBuffer* buffer = ConstantHelper::getInstance().constantBuffer(reals, FLOAT32);
  EXPECT_EQ(buffer, ConstantHelper::getInstance().constantBuffer(ConstantDescriptor({1.0, 2.5}), FLOAT32));
  EXPECT_NE(buffer, ConstantHelper::getInstance().constantBuffer(reals, DOUBLE));
  EXPECT_EQ(buffer->length(), 2);
  EXPECT_EQ(buffer->sizeOf(), 4);
  EXPECT_EQ(buffer->primaryAsT<float>()[1], 2.5f);
  EXPECT_EQ(buffer->special(), nullptr);
  EXPECT_EQ(buffer->specialAsT<float>(), nullptr);
  const double numbers[] = {1, 2};
  EXPECT_EQ(static_cast<const double*>(
                ConstantHelper::getInstance().replicatePointer(const_cast<double*>(numbers), sizeof(numbers)))[1],
            2);
}

TEST(DescriptorTests, Indices) {
  const std::unique_ptr<NDIndex> all(NDIndex::all()), point(NDIndex::point(3)), interval(NDIndex::interval(1, 7, 2));
  EXPECT_TRUE(all->isAll() && !all->isPoint() && !all->isInterval());
  EXPECT_TRUE(point->isPoint() && !point->isAll() && !point->isInterval());
  EXPECT_TRUE(interval->isInterval() && !interval->isAll() && !interval->isPoint());
  EXPECT_EQ(point->getIndices(), std::vector<LongType>{3});
  EXPECT_EQ(interval->stride(), 2);
  IndicesList list({NDIndex::all(), NDIndex::point(1)});
  EXPECT_EQ(list.size(), 2);
  EXPECT_TRUE(list.at(1)->isPoint());
}

TEST(DescriptorTests, Allocations) {
  const memory::AllocationEntry none, entry(memory::DEVICE, 12, "here");
  EXPECT_EQ(none.numBytes(), 0);
  EXPECT_EQ(none.memoryType(), memory::HOST);
  EXPECT_EQ(entry.numBytes(), 12);
  EXPECT_EQ(entry.stackTrace(), "here");
  EXPECT_EQ(entry.memoryType(), memory::DEVICE);
}
